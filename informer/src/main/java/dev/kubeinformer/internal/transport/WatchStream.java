package dev.kubeinformer.internal.transport;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kubernetes.client.common.KubernetesObject;
import okhttp3.Response;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ResourceCodec;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.failure.FloodedWatchException;
import dev.kubeinformer.internal.http.Filler;
import dev.kubeinformer.internal.http.GzipMembers;
import dev.kubeinformer.internal.http.TimeoutThreadDamper;
import dev.kubeinformer.types.WatchEventType;
import dev.kubeinformer.types.WireEncoding;

/**
 * Reads the events of an open watch. An event is a line of JSON, or a protobuf message
 * with its length before it. The server may divide events into chunks in any way.
 *
 * @param <T> the model class
 */
public final class WatchStream<T extends KubernetesObject> implements Closeable {

	private final Response response;

	private final @Nullable GzipMembers gzip;

	private final BufferedSource source;

	private final Reading<T> reading;

	private final boolean framed;

	private final Limits limits;

	private final Filler filler = new Filler(System::nanoTime);

	private final Silence silence;

	private boolean silent;

	private @Nullable Long deadline;

	/** Number of bytes that were read from the response body. */
	private long consumed;

	/** Whether the watch ended within a line. */
	private boolean unterminated;

	private final TimeoutThreadDamper watchdog;

	private final AtomicBoolean closed = new AtomicBoolean();

	WatchStream(Response response, Reading<T> reading, WireEncoding encoding, Limits limits, Silence silence,
			TimeoutThreadDamper watchdog) {
		this.response = response;
		// The response may be compressed although the request does not accept that.
		boolean compressed = "gzip".equalsIgnoreCase(response.header("Content-Encoding"));
		this.gzip = compressed ? new GzipMembers(response.body().source()) : null;
		this.source = (this.gzip != null) ? Okio.buffer(this.gzip) : response.body().source();
		this.reading = reading;
		this.framed = encoding == WireEncoding.PROTOBUF;
		this.limits = limits;
		this.silence = silence;
		clearDeadline();
		this.watchdog = watchdog;
		watchdog.opened();
	}

	/**
	 * Waits for the next event.
	 * @return the event, or {@code null} when the server has ended the watch
	 * @throws MalformedResponseException if the bytes are not an event. The next event
	 * can still be read, except after an invalid length
	 * @throws InterruptedIOException if the watch was silent for too long, or the server
	 * did not end it in time
	 * @throws IOException if the connection broke, or only blank lines and bookmarks
	 * arrived
	 */
	public @Nullable WatchFrame<T> next() throws IOException {
		byte @Nullable [] event = event();
		return (event != null) ? read(event, null) : null;
	}

	/**
	 * Waits for the next initial event.
	 * @param known the objects that need not be read
	 * @return the event; {@link WatchFrame#unchanged()} if it adds a known object; {@code
	 * null} when the server has ended the watch
	 * @throws IOException in the same cases as {@link #next()}
	 */
	public @Nullable WatchFrame<T> next(@Nullable KnownObjects known) throws IOException {
		byte @Nullable [] event = event();
		if (event == null) {
			return null;
		}
		return read(event, known);
	}

	private byte @Nullable [] event() throws IOException {
		try {
			return this.framed ? frame() : lineOfText();
		}
		catch (InterruptedIOException ex) {
			// This is not a silence if the limit of deadline() or of the whole
			// watch has passed: bytes may have arrived until then, or the reading thread
			// may be late itself.
			boolean late = System.nanoTime() - this.limits.end() >= 0;
			if (!late && (this.deadline == null || System.nanoTime() - this.deadline < 0)) {
				this.silent = true;
				this.silence.noticed();
			}
			throw ex;
		}
	}

	private WatchFrame<T> read(byte[] event, @Nullable KnownObjects known) throws IOException {
		try {
			WatchFrame<T> frame = this.reading.read(event, known);
			count(frame);
			return frame;
		}
		catch (MalformedResponseException ex) {
			if (this.unterminated) {
				throw cutOff();
			}
			throw ex;
		}
	}

	private void count(WatchFrame<T> frame) throws FloodedWatchException {
		if (frame.type() == WatchEventType.BOOKMARK && !frame.initialEventsEnd()) {
			this.filler.bookmark();
		}
		else {
			this.filler.event();
		}
	}

	private void requireTime() throws SocketTimeoutException {
		// If bytes arrive all the time, no read ever times out.
		if (System.nanoTime() - this.limits.end() >= 0) {
			throw new SocketTimeoutException("the watch did not end in time");
		}
	}

	private byte @Nullable [] frame() throws IOException {
		requireTime();
		if (this.source.exhausted()) {
			return null;
		}
		require(Integer.BYTES);
		long length = this.source.peek().readInt() & 0xffffffffL;
		if (length > this.limits.longestEvent()) {
			throw new MalformedProtobufException("An event of the watch has no length, or is longer than %d bytes"
				.formatted(this.limits.longestEvent()));
		}
		// Do not allocate memory before the bytes have arrived.
		require(Integer.BYTES + length);
		this.source.skip(Integer.BYTES);
		this.consumed += Integer.BYTES + length;
		return this.source.readByteArray(length);
	}

	private void require(long bytes) throws IOException {
		if (!this.source.request(bytes)) {
			throw cutOff();
		}
	}

	private byte @Nullable [] lineOfText() throws IOException {
		byte[] line = line();
		while (line != null && isBlank(line)) {
			this.filler.blankLine(line.length);
			line = line();
		}
		return line;
	}

	private byte @Nullable [] line() throws IOException {
		requireTime();
		long newline = this.source.indexOf((byte) '\n', 0, this.limits.longestEvent() + 1L);
		if (newline >= 0) {
			byte[] line = this.source.readByteArray(newline);
			this.source.skip(1);
			this.consumed += newline + 1;
			return line;
		}
		if (this.source.getBuffer().size() > this.limits.longestEvent()) {
			throw new MalformedResponseException(
					"An event of the watch is longer than %d bytes".formatted(this.limits.longestEvent()));
		}
		if (this.source.exhausted()) {
			return null;
		}
		// The server ended the watch properly: a complete last line is an event, as in
		// client-go.
		this.unterminated = true;
		byte[] rest = this.source.readByteArray();
		this.consumed += rest.length;
		return rest;
	}

	private static EOFException cutOff() {
		return new EOFException("The watch ended in the middle of an event");
	}

	/**
	 * Returns the number of received bytes, including bytes that {@link #next()} has not
	 * read yet.
	 * @return the number of bytes
	 */
	public long received() {
		return this.consumed + this.source.getBuffer().size();
	}

	/**
	 * Sets a time at which every wait for an event ends, in addition to the idle timeout.
	 * @param nanoTime the time until which {@link #next()} may wait, in the time of
	 * {@link System#nanoTime()}
	 */
	public void deadline(long nanoTime) {
		this.deadline = nanoTime;
		this.source.timeout().deadlineNanoTime((nanoTime - this.limits.end() < 0) ? nanoTime : this.limits.end());
	}

	/** Removes the limit of {@link #deadline(long)}. */
	public void clearDeadline() {
		this.deadline = null;
		this.source.timeout().deadlineNanoTime(this.limits.end());
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
		if (this.closed.compareAndSet(false, true)) {
			this.watchdog.closed();
		}
		this.response.close();
		if (this.gzip != null) {
			this.gzip.close();
		}
		if (this.silent) {
			this.silent = false;
			this.silence.over();
		}
	}

	/** Reaction to a watch on which no byte has arrived for too long. */
	interface Silence {

		/** Called when the silence is noticed, while the watch is open. */
		void noticed();

		/**
		 * Called when the watch is closed.
		 */
		void over();

	}

	/**
	 * Parameters for reading events.
	 *
	 * @param <T> the model class
	 * @param codec the codec of the resource
	 * @param shard the shard whose objects are kept; {@code null} for all
	 */
	record Reading<T extends KubernetesObject>(ResourceCodec<T> codec, @Nullable ShardFilter shard) {

		WatchFrame<T> read(byte[] event, @Nullable KnownObjects known) throws MalformedResponseException {
			WatchFrame<T> foreign = (this.shard != null) ? this.codec.readForeign(event, this.shard) : null;
			if (foreign != null) {
				return foreign;
			}
			if (known != null && this.codec.addsKnown(event, known)) {
				return WatchFrame.unchanged();
			}
			return withoutForeign(this.codec.readEvent(event));
		}

		private WatchFrame<T> withoutForeign(WatchFrame<T> frame) {
			DecodedObject<T> object = frame.object();
			if (this.shard == null || object == null || !this.shard.isForeign(object)) {
				return frame;
			}
			return WatchFrame.foreign(frame.type(), object.metadata());
		}

	}

	/**
	 * Limits of a watch.
	 *
	 * @param end the time by which the watch must have ended, in the time of
	 * {@link System#nanoTime()}
	 * @param longestEvent the maximum number of bytes of an event
	 */
	record Limits(long end, int longestEvent) {

	}

}
