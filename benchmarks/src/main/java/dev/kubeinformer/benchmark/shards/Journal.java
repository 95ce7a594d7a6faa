package dev.kubeinformer.benchmark.shards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * File in which one process records its runs and its slots. Each line reaches the
 * operating system at once, so it survives a kill. Times are readings of the monotonic
 * clock, which all processes of a Linux machine share. Safe for use by several threads.
 */
final class Journal {

	private final FileChannel file;

	Journal(Path path) throws IOException {
		this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
				StandardOpenOption.APPEND);
	}

	/**
	 * Records a line.
	 * @param words the words of the line
	 */
	void write(Object... words) {
		StringBuilder line = new StringBuilder();
		for (Object word : words) {
			line.append(line.isEmpty() ? "" : " ").append(word);
		}
		try {
			this.file.write(ByteBuffer.wrap(line.append('\n').toString().getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The journal cannot be written", ex);
		}
	}

}
