package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;
import okio.Source;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of bodies: as a network interceptor the bytes from the server, which
 * may be compressed; as an application interceptor the inflated bytes. Safe for use by
 * several threads.
 */
final class WireCount implements Interceptor {

	private final AtomicLong bytes = new AtomicLong();

	long bytes() {
		return this.bytes.get();
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		return response.newBuilder().body(new CountedBody(response.body(), this.bytes)).build();
	}

	/** Body whose bytes are counted as they are read. */
	private static final class CountedBody extends ResponseBody {

		private final ResponseBody body;

		private final BufferedSource source;

		CountedBody(ResponseBody body, AtomicLong bytes) {
			this.body = body;
			this.source = Okio.buffer((Source) new ForwardingSource(body.source()) {

				@Override
				public long read(Buffer sink, long count) throws IOException {
					long read = super.read(sink, count);
					bytes.addAndGet(Math.max(0, read));
					return read;
				}

			});
		}

		@Override
		public @Nullable MediaType contentType() {
			return this.body.contentType();
		}

		@Override
		public long contentLength() {
			return this.body.contentLength();
		}

		@Override
		public BufferedSource source() {
			return this.source;
		}

	}

}
