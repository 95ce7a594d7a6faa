package dev.kubeinformer.internal.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A file that is exchanged from time to time. Whether it was is told by what it is, not
 * by its content: the file that the path leads to, its key, size and time. The kubelet
 * exchanges a symbolic link of the folder above. Safe for use by several threads.
 */
public final class WatchedFile {

	/**
	 * How often the file is looked at. client-go reads tokens again after a minute
	 * ({@code transport/token_source.go}), and certificates every five
	 * ({@code transport/cert_rotation.go}).
	 */
	public static final Duration PERIOD = Duration.ofMinutes(1);

	/** More than any bundle of authorities has. */
	private static final int LARGEST = 4 << 20;

	private final Path path;

	private final ClientTime time;

	private @Nullable Stamp read;

	private long lookedAt;

	/**
	 * Creates what watches a file. It is not read yet.
	 * @param path the path
	 * @param time the clocks
	 */
	public WatchedFile(Path path, ClientTime time) {
		this.path = path;
		this.time = time;
		this.lookedAt = time.nanoTime().getAsLong();
	}

	/**
	 * Returns the path.
	 * @return the path
	 */
	public Path path() {
		return this.path;
	}

	/**
	 * Reads the file.
	 * @return its content
	 * @throws IOException if it cannot be read, or is larger than 4 MiB
	 */
	public synchronized byte[] read() throws IOException {
		this.lookedAt = this.time.nanoTime().getAsLong();
		// Before the content: one that is exchanged meanwhile is read once more.
		Stamp stamp = Stamp.of(this.path);
		byte[] content;
		try (InputStream input = Files.newInputStream(this.path)) {
			content = input.readNBytes(LARGEST + 1);
		}
		if (content.length > LARGEST) {
			throw new IOException("larger than %d MiB".formatted(LARGEST >> 20));
		}
		this.read = stamp;
		return content;
	}

	/**
	 * Returns whether the file is another one than the one that was read, as far as that
	 * was looked at in the last minute.
	 * @return whether it is to be read again
	 */
	public synchronized boolean hasChanged() {
		if (this.time.nanoTime().getAsLong() - this.lookedAt < PERIOD.toNanos()) {
			return false;
		}
		return hasChangedNow();
	}

	/**
	 * Returns whether the file is another one than the one that was read. It looks at
	 * once.
	 * @return whether it is to be read again
	 */
	public synchronized boolean hasChangedNow() {
		this.lookedAt = this.time.nanoTime().getAsLong();
		try {
			return !Stamp.of(this.path).equals(this.read);
		}
		catch (IOException ex) {
			// It is being exchanged, or away: what was read stays, and this is asked
			// again.
			return false;
		}
	}

	/**
	 * What a file is.
	 */
	private record Stamp(Path real, @Nullable Object key, long size, FileTime modified) {

		static Stamp of(Path path) throws IOException {
			Path real = path.toRealPath();
			BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
			return new Stamp(real, attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
		}

	}

}
