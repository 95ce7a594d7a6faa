package dev.kubeinformer.internal.http;

import java.io.IOException;

import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;

/** Request body of a write. Its bytes must not be changed. */
public final class WriteBody extends RequestBody {

	private final MediaType mediaType;

	private final byte[] bytes;

	private final int longestAnswer;

	/**
	 * Creates a body.
	 * @param mediaType the media type
	 * @param bytes the content, which is not copied
	 * @param longestAnswer the maximum number of bytes of a successful response
	 */
	public WriteBody(MediaType mediaType, byte[] bytes, int longestAnswer) {
		this.mediaType = mediaType;
		this.bytes = bytes;
		this.longestAnswer = longestAnswer;
	}

	byte[] bytes() {
		return this.bytes;
	}

	int longestAnswer() {
		return this.longestAnswer;
	}

	@Override
	public MediaType contentType() {
		return this.mediaType;
	}

	@Override
	public long contentLength() {
		return this.bytes.length;
	}

	@Override
	public void writeTo(BufferedSink sink) throws IOException {
		sink.write(this.bytes);
	}

}
