package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import okhttp3.Response;
import okio.BufferedSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * Reads bodies of answers into memory, up to a limit that counts what is decompressed: a
 * few kilobytes of gzip may be gigabytes. Every body that is read as a whole is read
 * here; lists and watches are read object by object, each of which has its limit.
 */
public final class AnswerBodies {

	/** Limit of the body of an answer that is not a success. */
	public static final int LONGEST_ERROR = 64 * 1024;

	private static final Duration ERROR = Duration.ofSeconds(10);

	private AnswerBodies() {
	}

	/**
	 * Reads the body of an answer.
	 * @param response the answer
	 * @param longest the limit, in bytes
	 * @return the body
	 * @throws MalformedResponseException if it is longer
	 * @throws IOException if it does not come
	 */
	public static byte[] read(Response response, int longest) throws IOException {
		buffer(response, longest);
		return response.body().source().readByteArray();
	}

	/**
	 * Reads the body of an answer into the buffer of its source, of which others can read
	 * it.
	 * @param response the answer
	 * @param longest the limit, in bytes
	 * @throws MalformedResponseException if it is longer
	 * @throws IOException if it does not come
	 */
	public static void buffer(Response response, int longest) throws IOException {
		if (response.body().source().request(longest + 1L)) {
			throw tooLong(longest);
		}
	}

	/**
	 * Returns the failure of reading a body that is too long.
	 * @param longest the limit, in bytes
	 * @return the failure
	 */
	static MalformedResponseException tooLong(int longest) {
		return new MalformedResponseException(
				"The answer is longer than %d bytes, and was not read; it is no answer of an API server, or the heap of this JVM is too small for its objects"
					.formatted(longest));
	}

	/**
	 * Reads the beginning of the body of an answer that is not a success.
	 * @param response the answer
	 * @param abandoned returns whether nobody waits for the answer any more
	 * @return the beginning of the body; empty if it does not come: the status counts,
	 * whatever becomes of the words that explain it
	 * @throws IOException if it does not come because nobody waits for it
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
