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
 * File that is replaced from time to time, such as a token in a pod. A replacement is
 * detected by the real path, the file key, the size and the modification time, not by the
 * content. The real path is compared because the kubelet does not replace a file itself,
 * but a symbolic link to its directory. Thread-safe.
 */
public final class WatchedFile {

	/**
	 * Interval for checking the file. client-go reads tokens again after a minute
	 * ({@code transport/token_source.go}), and certificates every five minutes
	 * ({@code transport/cert_rotation.go}).
	 */
	public static final Duration PERIOD = Duration.ofMinutes(1);

	/** Maximum size, larger than any bundle of certificate authorities. */
	private static final int LARGEST = 4 << 20;

	private final Path path;

	private final ClientTime time;

	private @Nullable Stamp read;

	private long lookedAt;

	/**
	 * Creates a watch on a file without reading it.
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
	 * @throws IOException if the file cannot be read, or is larger than 4 MiB
	 */
	public synchronized byte[] read() throws IOException {
		this.lookedAt = this.time.nanoTime().getAsLong();
		// Take the stamp before reading the file, so that a later check detects a
		// replacement in between.
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
	 * Returns whether the file has been replaced since it was read. Checks at most once a
	 * minute.
	 * @return {@code true} if the file must be read again
	 */
	public synchronized boolean hasChanged() {
		if (this.time.nanoTime().getAsLong() - this.lookedAt < PERIOD.toNanos()) {
			return false;
		}
		return hasChangedNow();
	}

	/**
	 * Returns whether the file has been replaced since it was read. Checks at once.
	 * @return {@code true} if the file must be read again
	 */
	public synchronized boolean hasChangedNow() {
		this.lookedAt = this.time.nanoTime().getAsLong();
		try {
			return !Stamp.of(this.path).equals(this.read);
		}
		catch (IOException ex) {
			// The file is being replaced or is missing. Keep the content that was read,
			// and check again.
			return false;
		}
	}

	/**
	 * Properties of a file at one moment, by which a replacement is detected.
	 */
	private record Stamp(Path real, @Nullable Object key, long size, FileTime modified) {

		static Stamp of(Path path) throws IOException {
			Path real = path.toRealPath();
			BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
			return new Stamp(real, attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
		}

	}

}
