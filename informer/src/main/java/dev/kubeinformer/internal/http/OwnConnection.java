package dev.kubeinformer.internal.http;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.GzipSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * HTTP/1.1 connection (RFC 9112) that only writes use, for one request at a time. The
 * thread that sends a request also reads the response, so no other thread has to wake it.
 * Only one thread uses the connection at a time; any thread may {@link #close} it.
 */
public final class OwnConnection implements Closeable {

	/**
	 * Size of the buffers: the longest content of a TLS record (RFC 8446, section 5.1).
	 */
	private static final int BUFFER = 16 * 1024;

	private static final int LONGEST_HEAD = 256 * 1024;

	private static final int CONTINUE_LINE = 1024;

	/** Longest time for reading the body of an error. */
	private static final long ERROR_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Socket below TLS. Closing it never blocks, unlike closing a TLS socket. */
	private final Socket raw;

	private final Socket socket;

	private final InputStream input;

	private final OutputStream output;

	private final LongSupplier nanoTime;

	private final long openedAt;

	private byte[] buffer = new byte[BUFFER];

	private int position;

	private int limit;

	private long idleSince;

	private long deadline;

	private boolean answered;

	private @Nullable Probe probe;

	private boolean reusable = true;

	/**
	 * Creates a connection.
	 * @param raw the connected socket
	 * @param socket the same socket, or TLS over it after the handshake
	 * @param nanoTime the monotonic clock
	 * @throws IOException if the socket is closed
	 */
	OwnConnection(Socket raw, Socket socket, LongSupplier nanoTime) throws IOException {
		this.raw = raw;
		this.socket = socket;
		this.input = socket.getInputStream();
		this.output = socket.getOutputStream();
		this.nanoTime = nanoTime;
		this.openedAt = nanoTime.getAsLong();
		this.idleSince = this.openedAt;
	}

	/**
	 * Sends a request and reads the complete response.
	 * @param request the request
	 * @param body the body of the request
	 * @param nanos the longest duration
	 * @param whileSilent checks whether the server is still available if it does not
	 * respond for a while
	 * @return the response, with a body in memory
	 * @throws MalformedResponseException if the response is longer than allowed
	 * @throws SocketTimeoutException if there is no complete response in time
	 * @throws IOException if the connection breaks, or the response is not valid HTTP
	 */
	public Response exchange(Request request, WriteBody body, long nanos, Probe whileSilent) throws IOException {
		// After any failure from here on, the next request could receive this response.
		this.reusable = false;
		this.answered = false;
		this.probe = whileSilent;
		this.deadline = this.nanoTime.getAsLong() + nanos;
		send(request, body);
		Head head = readHead();
		while (head.code() / 100 == 1) {
			head = readHead();
		}
		boolean keep = head.keepAlive();
		byte[] content = (head.code() < 300) ? readBody(head, body.longestAnswer(), true) : readExplanation(head);
		this.reusable = keep && this.reusable && this.position == this.limit;
		return new Response.Builder().request(request)
			.protocol(Protocol.HTTP_1_1)
			.code(head.code())
			.message(head.message())
			.headers(head.headers())
			.body(isCompressed(request, head) ? decompressed(content) : ResponseBody.create(content, null))
			.build();
	}

	// Returns whether to decompress the body as OkHttp does, which asks for gzip by
	// default. This class does not ask for it.
	private static boolean isCompressed(Request request, Head head) {
		return "gzip".equalsIgnoreCase(head.headers().get("Content-Encoding"))
				&& request.header("Accept-Encoding") == null;
	}

	private static ResponseBody decompressed(byte[] content) {
		return ResponseBody.create(Okio.buffer(new GzipSource(new Buffer().write(content))), null, -1);
	}

	private void send(Request request, WriteBody body) throws IOException {
		byte[] head = head(request, body).getBytes(StandardCharsets.UTF_8);
		byte[] bytes = body.bytes();
		if (head.length + bytes.length <= 4 * BUFFER) {
			// Write head and body at once: one system call, one TLS record and, if it
			// fits, one segment.
			byte[] all = Arrays.copyOf(head, head.length + bytes.length);
			System.arraycopy(bytes, 0, all, head.length, bytes.length);
			this.output.write(all);
		}
		else {
			this.output.write(head);
			this.output.write(bytes);
		}
		this.output.flush();
	}

	private static String head(Request request, WriteBody body) {
		HttpUrl url = request.url();
		StringBuilder head = new StringBuilder(512);
		head.append(request.method()).append(' ').append(url.encodedPath());
		String query = url.encodedQuery();
		if (query != null) {
			head.append('?').append(query);
		}
		head.append(" HTTP/1.1\r\n");
		Headers headers = request.headers();
		boolean host = false;
		for (int i = 0; i < headers.size(); i++) {
			String name = headers.name(i);
			host |= name.equalsIgnoreCase("Host");
			if (!isFraming(name)) {
				head.append(name).append(": ").append(headers.value(i)).append("\r\n");
			}
		}
		if (!host) {
			String name = url.host();
			boolean literal = name.indexOf(':') >= 0;
			head.append("Host: ").append(literal ? "[" : "").append(name).append(literal ? "]" : "");
			if (url.port() != HttpUrl.defaultPort(url.scheme())) {
				head.append(':').append(url.port());
			}
			head.append("\r\n");
		}
		return head.append("Content-Type: ")
			.append(body.contentType())
			.append("\r\nContent-Length: ")
			.append(body.contentLength())
			.append("\r\n\r\n")
			.toString();
	}

	private static boolean isFraming(String name) {
		return name.equalsIgnoreCase("Content-Type") || name.equalsIgnoreCase("Content-Length")
				|| name.equalsIgnoreCase("Transfer-Encoding");
	}

	private Head readHead() throws IOException {
		String status = readLine(LONGEST_HEAD);
		// RFC 9112, section 4: the reason phrase may be missing.
		if (!status.startsWith("HTTP/1.") || status.length() < 12 || status.charAt(8) != ' '
				|| (status.length() > 12 && status.charAt(12) != ' ')) {
			throw new ProtocolException("Unexpected status line");
		}
		Headers.Builder headers = new Headers.Builder();
		int length = status.length();
		for (String line = readLine(LONGEST_HEAD); !line.isEmpty(); line = readLine(LONGEST_HEAD)) {
			length += line.length();
			int colon = line.indexOf(':');
			if (colon <= 0 || length > LONGEST_HEAD) {
				throw new ProtocolException("Unexpected header");
			}
			try {
				headers.addUnsafeNonAscii(line.substring(0, colon), line.substring(colon + 1).trim());
			}
			catch (IllegalArgumentException ex) {
				throw new ProtocolException("Unexpected header");
			}
		}
		return new Head(status.charAt(7) == '0', number(status.substring(9, 12), 10),
				(status.length() > 13) ? status.substring(13) : "", headers.build());
	}

	private static int number(String digits, int radix) throws ProtocolException {
		try {
			int number = Integer.parseInt(digits, radix);
			if (number >= 0 && Character.digit(digits.charAt(0), radix) >= 0) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// The length is not a number, or is larger than any body may be.
		}
		throw new ProtocolException("Unexpected number");
	}

	private byte[] readExplanation(Head head) throws IOException {
		this.deadline = Math.min(this.deadline, this.nanoTime.getAsLong() + ERROR_NANOS);
		try {
			return readBody(head, AnswerBodies.LONGEST_ERROR, false);
		}
		catch (IOException ex) {
			if (this.raw.isClosed()) {
				throw ex;
			}
			// The status counts, even without its explanation.
			this.reusable = false;
			return new byte[0];
		}
	}

	/**
	 * Reads a body. The connection can be reused if the body was read completely.
	 * @param head the head of the response
	 * @param longest the maximum number of bytes
	 * @param whole {@code true} to reject a longer body; {@code false} to cut it off
	 * @return the body
	 */
	private byte[] readBody(Head head, int longest, boolean whole) throws IOException {
		if (head.code() == 204 || head.code() == 304) {
			this.reusable = true;
			return new byte[0];
		}
		String coding = head.headers().get("Transfer-Encoding");
		if (coding != null && !coding.equalsIgnoreCase("identity")) {
			if (!coding.equalsIgnoreCase("chunked")) {
				throw new ProtocolException("Unexpected transfer coding");
			}
			byte[] content = readChunks(longest, whole);
			// RFC 9112, section 6.1: with both headers, the next response could belong to
			// another request.
			this.reusable &= head.length() == null;
			return content;
		}
		String length = head.length();
		if (length == null) {
			// The end of the connection ends the body, so it may be incomplete.
			return readAll(longest, whole);
		}
		int announced = number(length, 10);
		if (announced > longest && whole) {
			throw AnswerBodies.tooLong(longest);
		}
		byte[] content = new byte[Math.min(announced, longest)];
		readFully(content, 0, content.length);
		this.reusable = announced <= longest;
		return content;
	}

	private byte[] readAll(int longest, boolean whole) throws IOException {
		byte[] content = Arrays.copyOfRange(this.buffer, this.position, this.limit);
		this.position = this.limit;
		while (content.length <= longest) {
			if (!fill(false)) {
				return content;
			}
			content = append(content, this.limit - this.position);
		}
		if (whole) {
			throw AnswerBodies.tooLong(longest);
		}
		return Arrays.copyOf(content, longest);
	}

	private byte[] readChunks(int longest, boolean whole) throws IOException {
		byte[] content = new byte[0];
		while (true) {
			String line = readLine(CONTINUE_LINE);
			int end = line.indexOf(';');
			int size = number(((end < 0) ? line : line.substring(0, end)).trim(), 16);
			if (size == 0) {
				break;
			}
			if (size > longest - content.length) {
				if (whole) {
					throw AnswerBodies.tooLong(longest);
				}
				return append(content, longest - content.length);
			}
			content = append(content, size);
			if (!readLine(CONTINUE_LINE).isEmpty()) {
				throw new ProtocolException("Unexpected end of a chunk");
			}
		}
		// Skip the trailers, which are not used here.
		for (int length = 0; length < LONGEST_HEAD;) {
			String line = readLine(LONGEST_HEAD);
			if (line.isEmpty()) {
				this.reusable = true;
				return content;
			}
			length += line.length();
		}
		throw new ProtocolException("The trailer is too long");
	}

	private byte[] append(byte[] content, int size) throws IOException {
		byte[] longer = Arrays.copyOf(content, content.length + size);
		readFully(longer, content.length, size);
		return longer;
	}

	private void readFully(byte[] target, int offset, int length) throws IOException {
		int done = Math.min(length, this.limit - this.position);
		System.arraycopy(this.buffer, this.position, target, offset, done);
		this.position += done;
		while (done < length) {
			int read = read(target, offset + done, length - done);
			if (read < 0) {
				throw new EOFException();
			}
			done += read;
		}
	}

	private String readLine(int longest) throws IOException {
		int scanned = 0;
		while (true) {
			for (int i = this.position + scanned; i < this.limit; i++) {
				if (this.buffer[i] == '\n') {
					int end = (i > this.position && this.buffer[i - 1] == '\r') ? i - 1 : i;
					String line = new String(this.buffer, this.position, end - this.position, StandardCharsets.UTF_8);
					this.position = i + 1;
					return line;
				}
			}
			scanned = this.limit - this.position;
			if (scanned > longest) {
				throw new ProtocolException("A line is too long");
			}
			fill(true);
		}
	}

	// Moves the rest of the buffer to its beginning and reads further bytes. Returns
	// false at the end of the stream.
	private boolean fill(boolean required) throws IOException {
		int kept = this.limit - this.position;
		if (kept == this.buffer.length) {
			this.buffer = Arrays.copyOf(this.buffer, 2 * kept);
		}
		System.arraycopy(this.buffer, this.position, this.buffer, 0, kept);
		this.position = 0;
		this.limit = kept;
		int read = read(this.buffer, kept, this.buffer.length - kept);
		if (read < 0) {
			if (required) {
				throw new EOFException();
			}
			return false;
		}
		this.limit = kept + read;
		return true;
	}

	private int read(byte[] target, int offset, int length) throws IOException {
		Probe asked = this.answered ? null : this.probe;
		long every = (asked != null) ? asked.interval().toMillis() : Long.MAX_VALUE;
		while (true) {
			long left = TimeUnit.NANOSECONDS.toMillis(this.deadline - this.nanoTime.getAsLong());
			if (left <= 0) {
				throw new SocketTimeoutException("timeout");
			}
			this.socket.setSoTimeout((int) Math.min(Math.min(left, every), Integer.MAX_VALUE));
			try {
				int read = this.input.read(target, offset, length);
				this.answered |= read > 0;
				return read;
			}
			catch (SocketTimeoutException ex) {
				if (asked == null || left <= every) {
					throw ex;
				}
				asked.ask();
			}
		}
	}

	/**
	 * Returns whether the response to the latest request has begun.
	 * @return {@code true} if at least one byte has arrived
	 */
	public boolean isAnswered() {
		return this.answered;
	}

	/**
	 * Returns whether the connection can carry another request.
	 * @return {@code true} if the last response was read completely and the connection
	 * stays open
	 */
	boolean isReusable() {
		return this.reusable && !this.raw.isClosed();
	}

	void idle(long now) {
		this.idleSince = now;
	}

	long idleSince() {
		return this.idleSince;
	}

	long openedAt() {
		return this.openedAt;
	}

	/**
	 * Returns whether the idle connection still seems to be open. The check takes a
	 * millisecond.
	 * @return {@code false} if the server has closed the connection
	 */
	boolean isAlive() {
		try {
			this.socket.setSoTimeout(1);
			// No request is open, so there is nothing to read.
			this.input.read();
			return false;
		}
		catch (SocketTimeoutException ex) {
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Closes the connection and ends a wait for its response. Never blocks. */
	@Override
	public void close() {
		try {
			this.raw.close();
		}
		catch (IOException ex) {
			// The socket is closed in either case.
		}
	}

	/**
	 * Checks whether a server that does not respond is still available. HTTP/1.1 needs
	 * this, because it has no ping.
	 */
	public interface Probe {

		/**
		 * Returns the interval of the checks while there is no response.
		 * @return the time
		 */
		Duration interval();

		/**
		 * Checks the server with another request.
		 * @throws IOException if the server does not respond to that request either
		 */
		void ask() throws IOException;

	}

	/**
	 * Beginning of a response.
	 *
	 * @param old whether the protocol is HTTP/1.0
	 * @param code the status code
	 * @param message the reason phrase
	 * @param headers the headers
	 */
	private record Head(boolean old, int code, String message, Headers headers) {

		boolean keepAlive() {
			String connection = Objects.requireNonNullElse(this.headers.get("Connection"), "");
			return !this.old && !connection.toLowerCase(Locale.ROOT).contains("close");
		}

		// RFC 9112, section 6.3: several different lengths are an attempt at request
		// smuggling.
		@Nullable String length() throws ProtocolException {
			String length = null;
			for (String each : this.headers.values("Content-Length")) {
				if (length != null && !length.equals(each)) {
					throw new ProtocolException("Unexpected lengths");
				}
				length = each;
			}
			return length;
		}

	}

}
