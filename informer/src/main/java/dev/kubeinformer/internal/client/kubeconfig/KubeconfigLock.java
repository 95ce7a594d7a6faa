package dev.kubeinformer.internal.client.kubeconfig;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lock that keeps other processes from changing a kubeconfig. kubectl creates the file
 * {@code <kubeconfig>.lock} before it changes a kubeconfig
 * ({@code tools/clientcmd/loader.go}). If the file already exists, kubectl fails; this
 * class waits until the file is deleted.
 */
final class KubeconfigLock {

	private static final Logger logger = LoggerFactory.getLogger(KubeconfigLock.class);

	/** Time to wait for the lock; kubectl holds it for milliseconds. */
	private static final Duration PATIENCE = Duration.ofSeconds(3);

	private static final Duration POLL = Duration.ofMillis(20);

	private final Deque<Path> locks = new ArrayDeque<>();

	private KubeconfigLock() {
	}

	/**
	 * Locks a kubeconfig. If its path is a symbolic link, the target is locked, too.
	 * @param file the kubeconfig
	 * @return the lock
	 * @throws IOException if the kubeconfig cannot be locked
	 */
	static KubeconfigLock of(Path file) throws IOException {
		return of(file, PATIENCE);
	}

	static KubeconfigLock of(Path file, Duration patience) throws IOException {
		Path real = file.toRealPath();
		// Lock in a fixed order, as kubectl does.
		TreeSet<Path> files = new TreeSet<>();
		files.add(Files.isSymbolicLink(file) ? file : real);
		files.add(real);
		KubeconfigLock lock = new KubeconfigLock();
		long end = System.nanoTime() + patience.toNanos();
		try {
			for (Path each : files) {
				lock.add(each.resolveSibling(each.getFileName() + ".lock"), end);
			}
			return lock;
		}
		catch (IOException ex) {
			lock.close();
			throw ex;
		}
	}

	private void add(Path path, long end) throws IOException {
		while (true) {
			try {
				Files.createFile(path);
				this.locks.push(path);
				return;
			}
			catch (FileAlreadyExistsException ex) {
				if (System.nanoTime() - end >= 0) {
					throw new IOException(
							"another process has made '%s'; remove it if no kubectl is running".formatted(path), ex);
				}
				pause();
			}
		}
	}

	private static void pause() throws IOException {
		try {
			Thread.sleep(POLL.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("interrupted");
		}
	}

	/**
	 * Releases the lock.
	 */
	void close() {
		while (!this.locks.isEmpty()) {
			Path path = this.locks.pop();
			try {
				Files.deleteIfExists(path);
			}
			catch (IOException ex) {
				logger.warn("Cannot remove the lock '{}' of a kubeconfig; remove it, because kubectl cannot "
						+ "change the kubeconfig while it exists", path);
			}
		}
	}

}
