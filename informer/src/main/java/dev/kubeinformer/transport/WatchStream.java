package dev.kubeinformer.transport;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;

import io.kubernetes.client.common.KubernetesObject;
import okhttp3.Response;
import okio.BufferedSource;
import okio.Timeout;
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

	private final Runnable onSilence;

	WatchStream(Response response, JsonCodec<T> codec, Runnable onSilence) {
		this.response = response;
		this.onSilence = onSilence;
		this.source = response.body().source();
		this.codec = codec;
	}

	/**
	 * Waits for the next event.
	 * @return the event, or {@code null} when the server has ended the watch
	 * @throws dev.kubeinformer.codec.MalformedResponseException if the next line is no
	 * event; the line after it can still be read
	 * @throws InterruptedIOException if it was silent for too long, or did not end in
	 * time
	 * @throws IOException if the connection broke
	 */
	public @Nullable WatchFrame<T> next() throws IOException {
		byte[] line;
		do {
			line = line();
		}
		while (line != null && isBlank(line));
		return (line != null) ? this.codec.readEvent(line) : null;
	}

	private byte @Nullable [] line() throws IOException {
		try {
			long newline = this.source.indexOf((byte) '\n');
			if (newline < 0 && this.source.exhausted()) {
				return null;
			}
			if (newline < 0) {
				throw new EOFException("The watch ended in the middle of an event");
			}
			byte[] line = this.source.readByteArray(newline);
			this.source.skip(1);
			return line;
		}
		catch (InterruptedIOException ex) {
			Timeout timeout = this.source.timeout();
			// Nothing new by a deadline is no silence: bytes may have come all the time.
			if (!timeout.hasDeadline() || System.nanoTime() - timeout.deadlineNanoTime() < 0) {
				this.onSilence.run();
			}
			throw ex;
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
