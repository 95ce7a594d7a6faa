package dev.kubeinformer.test.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.zip.GZIPOutputStream;

import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/**
 * A large body, written in chunks as fast as the client reads.
 */
public final class BodyStream extends IteratingCallback {

	private static final int CHUNK = 256 * 1024;

	private final Response response;

	private final Callback callback;

	private final Iterator<byte[]> parts;

	private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

	private final OutputStream sink;

	private boolean last;

	public BodyStream(Response response, Callback callback, Iterator<byte[]> parts, boolean gzip) throws IOException {
		this.response = response;
		this.callback = callback;
		this.parts = parts;
		this.sink = (gzip) ? new GZIPOutputStream(this.buffer) : this.buffer;
	}

	@Override
	protected Action process() throws IOException {
		if (this.last) {
			return Action.SUCCEEDED;
		}
		while (this.parts.hasNext() && this.buffer.size() < CHUNK) {
			this.sink.write(this.parts.next());
		}
		if (!this.parts.hasNext()) {
			this.sink.close();
			this.last = true;
		}
		ByteBuffer chunk = ByteBuffer.wrap(this.buffer.toByteArray());
		this.buffer.reset();
		this.response.write(this.last, chunk, this);
		return Action.SCHEDULED;
	}

	@Override
	protected void onCompleteSuccess() {
		this.callback.succeeded();
	}

	@Override
	protected void onCompleteFailure(Throwable cause) {
		this.callback.failed(cause);
	}

}
