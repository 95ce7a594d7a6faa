package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import okhttp3.Response;
import okio.BufferedSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * Reads bodies of responses into memory, up to a limit for the decompressed size, because
 * a few kilobytes of gzip may expand to gigabytes. All bodies that are read as a whole
 * are read by this class; other classes read lists and watches object by object, with a
 * limit for each object.
 */
public final class AnswerBodies {

	/** Longest body of an unsuccessful response that is read. */
	public static final int LONGEST_ERROR = 64 * 1024;

	private static final Duration ERROR = Duration.ofSeconds(10);

	private AnswerBodies() {
	}

	/**
	 * Reads the body of a response.
	 * @param response the response
	 * @param longest the limit, in bytes
	 * @return the complete body
	 * @throws MalformedResponseException if the body is longer
	 * @throws IOException if the body cannot be read
	 */
	public static byte[] read(Response response, int longest) throws IOException {
		buffer(response, longest);
		return response.body().source().readByteArray();
	}

	/**
	 * Reads the body of a response into the buffer of the body's own source, so that it
	 * can still be read from the response.
	 * @param response the response
	 * @param longest the limit, in bytes
	 * @throws MalformedResponseException if the body is longer
	 * @throws IOException if the body cannot be read
	 */
	public static void buffer(Response response, int longest) throws IOException {
		if (response.body().source().request(longest + 1L)) {
			throw tooLong(longest);
		}
	}

	/**
	 * Returns the exception for a body that is too long.
	 * @param longest the limit, in bytes
	 * @return the exception
	 */
	static MalformedResponseException tooLong(int longest) {
		return new MalformedResponseException(
				"The response is longer than %d bytes, and was not read; either the server is not an API server, or the heap of this JVM is too small for its objects"
					.formatted(longest));
	}

	/**
	 * Reads the beginning of the body of an unsuccessful response.
	 * @param response the response
	 * @param abandoned returns whether no caller waits for the response any more
	 * @return the beginning of the body; empty if it cannot be read, because the HTTP
	 * status matters even without an explanation
	 * @throws IOException if reading fails because no caller waits for the response
	 */
	public static byte[] readError(Response response, BooleanSupplier abandoned) throws IOException {
		BufferedSource source = response.body().source();
		try {
			source.timeout().deadline(ERROR.toNanos(), TimeUnit.NANOSECONDS);
			source.request(LONGEST_ERROR);
			return source.readByteArray(Math.min(LONGEST_ERROR, source.getBuffer().size()));
		}
		catch (IOException ex) {
			if (abandoned.getAsBoolean()) {
				throw ex;
			}
			return new byte[0];
		}
	}

}
