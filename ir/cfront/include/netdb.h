#ifndef _NETDB_H
#define _NETDB_H
#include <netinet/in.h>
#include <sys/socket.h>
struct hostent { char *h_name, **h_aliases; int h_addrtype, h_length; char **h_addr_list; };
#define h_addr h_addr_list[0]
struct servent { char *s_name, **s_aliases; int s_port; char *s_proto; };
struct addrinfo {
	int ai_flags, ai_family, ai_socktype, ai_protocol; socklen_t ai_addrlen;
	struct sockaddr *ai_addr; char *ai_canonname; struct addrinfo *ai_next;
};
#define AI_PASSIVE 1
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
extern int h_errno;
struct hostent *gethostbyname(const char *);
struct hostent *gethostbyaddr(const void *, socklen_t, int);
struct hostent *gethostent(void);
struct servent *getservbyname(const char *, const char *);
int getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
void freeaddrinfo(struct addrinfo *);
const char *gai_strerror(int);
#endif
