package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Response;

import dev.kubeinformer.internal.codec.json.LeaseDocument;

/**
 * Request whose answer is waited for in another thread than that which sends it. OkHttp's
 * own timeout ends neither the lookup of a name nor an interceptor of the application.
 */
final class PendingLease implements Callback {

	private final CompletableFuture<LeaseDocument> answer = new CompletableFuture<>();

	private final Call call;

	private final Reader reader;

	PendingLease(Call call, Reader reader) {
		this.call = call;
		this.reader = reader;
	}

	LeaseDocument await(Duration timeout) throws IOException {
		this.call.enqueue(this);
		try {
			return this.answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			this.call.cancel();
			throw (IOException) new InterruptedIOException("no answer within %d ms".formatted(timeout.toMillis()))
				.initCause(ex);
		}
		catch (InterruptedException ex) {
			this.call.cancel();
			Thread.currentThread().interrupt();
			throw (IOException) new InterruptedIOException("interrupted").initCause(ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = Objects.requireNonNullElse(ex.getCause(), ex);
			if (cause instanceof IOException failure) {
				throw failure;
			}
			throw new IOException("the client failed with " + cause.getClass().getName(), cause);
		}
	}

	@Override
	public void onResponse(Call answered, Response response) {
		try (response) {
			this.answer.complete(this.reader.read(response));
		}
		catch (Throwable ex) {
			// Also what an interceptor throws while the body is read.
			this.answer.completeExceptionally(ex);
		}
	}

	@Override
	public void onFailure(Call failed, IOException ex) {
		this.answer.completeExceptionally(ex);
	}

	/**
	 * Reads an answer.
	 */
	@FunctionalInterface
	interface Reader {

		LeaseDocument read(Response response) throws IOException;

	}

}
