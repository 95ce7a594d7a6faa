package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.WatchedFile;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Reads files that contain credentials, and detects later changes of them. Thread-safe.
 */
final class FileReader {

	private final ClientTime time;

	private final Map<Path, WatchedFile> files = new ConcurrentHashMap<>();

	FileReader(ClientTime time) {
		this.time = time;
	}

	/**
	 * Reads a file.
	 * @param path the file
	 * @param place the name of the configuration that names the file, as the subject of a
	 * sentence
	 * @param field the field that names the file
	 * @return its content
	 * @throws ClientConfigurationException if it cannot be read
	 */
	byte[] read(Path path, String place, String field) {
		try {
			return watched(path).read();
		}
		catch (IOException ex) {
			throw new ClientConfigurationException(place, field,
					"names the file '%s', %s".formatted(path, why(path, ex)),
					"Provide the file, or correct '%s'.".formatted(field));
		}
	}

	/**
	 * Returns whether a file has changed since it was read. A missing file counts as
	 * changed, so that its absence is reported.
	 * @param path the file
	 * @return {@code true} if it must be read again
	 */
	boolean hasChanged(Path path) {
		return watched(path).hasChangedNow() || !Files.isReadable(path);
	}

	private WatchedFile watched(Path path) {
		return this.files.computeIfAbsent(path, (key) -> new WatchedFile(key, this.time));
	}

	private static String why(Path path, IOException failure) {
		if (failure instanceof NoSuchFileException) {
			return "which does not exist";
		}
		if (failure instanceof AccessDeniedException) {
			return "which this process may not read";
		}
		if (Files.isDirectory(path)) {
			return "which is a directory";
		}
		return "which cannot be read (%s)".formatted(failure.getMessage());
	}

}
