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

import dev.kubeinformer.codec.Encoding;
import dev.kubeinformer.codec.MalformedProtobufException;
import dev.kubeinformer.codec.ResourceCodec;
import dev.kubeinformer.codec.WatchFrame;

/**
 * An open watch. Events are lines of JSON, or messages of protobuf with their length
 * before them, however the server cuts them into chunks.
 *
 * @param <T> the model class
 */
public final class WatchStream<T extends KubernetesObject> implements Closeable {

	/** A length above it is none: the largest objects of etcd are far below. */
	private static final int LONGEST_FRAME = 256 * 1024 * 1024;

	private final Response response;

	private final BufferedSource source;

	private final ResourceCodec<T> codec;

	private final Encoding encoding;

	private final Runnable onSilence;

	WatchStream(Response response, ResourceCodec<T> codec, Encoding encoding, Runnable onSilence) {
		this.response = response;
		this.onSilence = onSilence;
		this.source = response.body().source();
		this.codec = codec;
		this.encoding = encoding;
	}

	/**
	 * Waits for the next event.
	 * @return the event, or {@code null} when the server has ended the watch
	 * @throws dev.kubeinformer.codec.MalformedResponseException if what came is no event;
	 * the event after it can still be read, unless not even its length makes sense
	 * @throws InterruptedIOException if it was silent for too long, or did not end in
	 * time
	 * @throws IOException if the connection broke
	 */
	public @Nullable WatchFrame<T> next() throws IOException {
		byte @Nullable [] event;
		try {
			event = (this.encoding == Encoding.PROTOBUF) ? frame() : lineOfText();
		}
		catch (InterruptedIOException ex) {
			Timeout timeout = this.source.timeout();
			// Nothing new by a deadline is no silence: bytes may have come all the time.
			if (!timeout.hasDeadline() || System.nanoTime() - timeout.deadlineNanoTime() < 0) {
				this.onSilence.run();
			}
			throw ex;
		}
		return (event != null) ? this.codec.readEvent(event) : null;
	}

	private byte @Nullable [] frame() throws IOException {
		if (this.source.exhausted()) {
			return null;
		}
		require(Integer.BYTES);
		long length = this.source.peek().readInt() & 0xffffffffL;
		if (length > LONGEST_FRAME) {
			throw new MalformedProtobufException("An event of the watch has no length");
		}
		// What is not there yet is not allocated either.
		require(Integer.BYTES + length);
		this.source.skip(Integer.BYTES);
		return this.source.readByteArray(length);
	}

	private void require(long bytes) throws IOException {
		if (!this.source.request(bytes)) {
			throw cutOff();
		}
	}

	private byte @Nullable [] lineOfText() throws IOException {
		byte[] line;
		do {
			line = line();
		}
		while (line != null && isBlank(line));
		return line;
	}

	private byte @Nullable [] line() throws IOException {
		long newline = this.source.indexOf((byte) '\n');
		if (newline < 0 && this.source.exhausted()) {
			return null;
		}
		if (newline < 0) {
			throw cutOff();
		}
		byte[] line = this.source.readByteArray(newline);
		this.source.skip(1);
		return line;
	}

	private static EOFException cutOff() {
		return new EOFException("The watch ended in the middle of an event");
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
