package dev.kubeinformer.internal.client.kubeconfig;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the content of a file atomically, so that readers see either the old or the
 * new content.
 */
final class FileReplacement {

	private static final Logger logger = LoggerFactory.getLogger(FileReplacement.class);

	private FileReplacement() {
	}

	/**
	 * Replaces the content of a file and keeps its owner and permissions. A new file is
	 * moved over the old one. If this is impossible, the file is overwritten in place, as
	 * kubectl does: for example, a mount point of a container cannot be replaced, and a
	 * process that does not own the old file cannot give the new file the same owner.
	 * @param file the file, without symbolic links
	 * @param content the content
	 * @throws IOException if the file cannot be written
	 */
	static void replace(Path file, byte[] content) throws IOException {
		if (!Files.isWritable(file)) {
			// A read-only file could be replaced, but its owner has protected it on
			// purpose.
			throw new AccessDeniedException(file.toString());
		}
		// The new file is readable only by its owner.
		Path next = Files.createTempFile(file.getParent(), "." + file.getFileName(), ".tmp");
		try {
			write(next, content);
			if (!moved(next, file)) {
				write(file, content);
			}
		}
		finally {
			Files.deleteIfExists(next);
		}
	}

	private static boolean moved(Path next, Path file) {
		try {
			PosixFileAttributeView old = Files.getFileAttributeView(file, PosixFileAttributeView.class);
			if (old != null) {
				keep(old.readAttributes(), Files.getFileAttributeView(next, PosixFileAttributeView.class));
			}
			Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
			return true;
		}
		catch (IOException ex) {
			logger.debug("A file is written in place, because it cannot be replaced", ex);
			return false;
		}
	}

	private static void keep(PosixFileAttributes old, PosixFileAttributeView next) throws IOException {
		PosixFileAttributes made = next.readAttributes();
		if (!made.owner().equals(old.owner())) {
			next.setOwner(old.owner());
		}
		if (!made.group().equals(old.group())) {
			next.setGroup(old.group());
		}
		next.setPermissions(old.permissions());
	}

	/**
	 * Overwrites a file in place, and then truncates it to the length of the new content.
	 * @param file the file
	 * @param content the content
	 * @throws IOException if the file cannot be written
	 */
	static void write(Path file, byte[] content) throws IOException {
		// Do not use a channel, because an interrupt would close it halfway.
		try (RandomAccessFile output = new RandomAccessFile(file.toFile(), "rw")) {
			output.write(content);
			output.setLength(content.length);
			output.getFD().sync();
		}
	}

}
