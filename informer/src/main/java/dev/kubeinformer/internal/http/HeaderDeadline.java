package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import okhttp3.Call;
import okhttp3.Response;
import okio.AsyncTimeout;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.failure.LinkageProblem;

/**
 * Deadline for the response headers of a call. Everything before them counts: a
 * credential plugin, connecting to several addresses, and proxies. OkHttp's timeout of a
 * call is not suitable, because it includes the body.
 */
public final class HeaderDeadline extends AsyncTimeout {

	private final Call call;

	private final ConnectCoalescer turns;

	private final Duration limit;

	public HeaderDeadline(Call call, ConnectCoalescer turns, Duration limit) {
		this.call = call;
		this.turns = turns;
		this.limit = limit;
		timeout(limit.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Sends the request and waits for the headers of the response.
	 * @return the response, whose body has not been read
	 * @throws InterruptedIOException if the deadline passes
	 * @throws IOException if there is no response
	 */
	public Response await() throws IOException {
		enter();
		Response response;
		try {
			response = this.call.execute();
		}
		catch (IOException | RuntimeException ex) {
			if (exit()) {
				throw overdue(ex);
			}
			LinkageProblem linkage = LinkageProblem.of(ex);
			if (linkage != null) {
				// Incompatible libraries are not a network failure, even if the error
				// occurs while connecting.
				throw linkage.error();
			}
			if (ex instanceof RuntimeException) {
				// An interceptor of the client may throw this, for example for a missing
				// token file.
				throw new IOException("the client failed with " + ex.getClass().getName(), ex);
			}
			throw ex;
		}
		catch (Error ex) {
			exit();
			throw ex;
		}
		if (exit()) {
			response.close();
			throw overdue(null);
		}
		return response;
	}

	private IOException overdue(@Nullable Exception cause) {
		InFlightLimit.Permit permit = this.call.request().tag(InFlightLimit.Permit.class);
		IOException unconnected = this.turns.failure();
		if (permit != null && !permit.isConnected() && unconnected != null) {
			// This request waited for other requests to connect, which failed, too.
			return (IOException) new ConnectException(
					"no connection within %d ms: %s".formatted(this.limit.toMillis(), unconnected.getMessage()))
				.initCause(unconnected);
		}
		SocketTimeoutException overdue = new SocketTimeoutException(
				"no response within %d ms".formatted(this.limit.toMillis()));
		overdue.initCause(cause);
		return overdue;
	}

	/** Cancels the request, including the reading of its response. */
	public void abandon() {
		this.call.cancel();
		this.turns.leave(this.call);
	}

	@Override
	protected void timedOut() {
		abandon();
	}

}
