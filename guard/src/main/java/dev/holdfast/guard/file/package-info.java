/**
 * Guards that keep their marks in files: for several threads and processes of one machine, across restarts and crashes.
 *
 * <p>They rely on the operating system's file locks, which network file systems often do not give: use them on local
 * disks.
 */
@org.jspecify.annotations.NullMarked
package dev.holdfast.guard.file;
