package dev.kubeinformer.transport;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;

import io.kubernetes.client.common.KubernetesObject;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.codec.JsonCodec;
import dev.kubeinformer.codec.WatchFrame;

/**
 * An open watch. Events are lines of JSON, however the server cuts them into chunks.
 *
 * @param <T> the model class
 */
public final class WatchStream<T extends KubernetesObject> implements Closeable {

	private final Response response;

	private final BufferedSource source;

	private final JsonCodec<T> codec;

	WatchStream(Response response, JsonCodec<T> codec) {
		this.response = response;
		this.source = response.body().source();
		this.codec = codec;
	}

	/**
	 * Waits for the next event.
	 * @return the event, or {@code null} when the server has ended the watch
	 * @throws dev.kubeinformer.codec.MalformedResponseException if the next line is no
	 * event; the line after it can still be read
	 * @throws IOException if the connection broke or was silent for too long
	 */
	public @Nullable WatchFrame<T> next() throws IOException {
		while (true) {
			long newline = this.source.indexOf((byte) '\n');
			if (newline < 0 && this.source.exhausted()) {
				return null;
			}
			if (newline < 0) {
				throw new EOFException("The watch ended in the middle of an event");
			}
			byte[] line = this.source.readByteArray(newline);
			this.source.skip(1);
			if (!isBlank(line)) {
				return this.codec.readEvent(line);
			}
		}
	}

	/**
	 * Limits the waits for events, beside the limit of silence.
	 * @param nanoTime until when {@link #next()} may wait, as by
	 * {@link System#nanoTime()}
	 */
	public void deadline(long nanoTime) {
		this.source.timeout().deadlineNanoTime(nanoTime);
	}

	/**
	 * Lifts the limit of {@link #deadline(long)}.
	 */
	public void clearDeadline() {
		this.source.timeout().clearDeadline();
	}

	private static boolean isBlank(byte[] line) {
		for (byte each : line) {
			if (each != ' ' && each != '\r' && each != '\t') {
				return false;
			}
		}
		return true;
	}

	@Override
	public void close() {
		this.response.close();
	}

}
