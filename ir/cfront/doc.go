// Package cfront loads C programs.
package cfront
