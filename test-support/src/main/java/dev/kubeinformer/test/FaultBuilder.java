package dev.kubeinformer.test;

import java.time.Duration;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A fault that is being described. It is immutable, and the fault is in force from the
 * call of the last method on, the one that returns a {@link Fault}.
 */
public final class FaultBuilder {

	private final Faults faults;

	private final Predicate<? super RecordedRequest> pattern;

	private final int times;

	private final @Nullable Duration retryAfter;

	FaultBuilder(Faults faults, Predicate<? super RecordedRequest> pattern, int times, @Nullable Duration retryAfter) {
		this.faults = faults;
		this.pattern = pattern;
		this.times = times;
		this.retryAfter = retryAfter;
	}

	/**
	 * Hit only the next requests.
	 * @param requests how many; without this all are hit until the fault is removed
	 * @return the description
	 */
	public FaultBuilder times(int requests) {
		return new FaultBuilder(this.faults, this.pattern, requests, this.retryAfter);
	}

	/**
	 * Tell the client how long to wait, in the header and in the Status.
	 * @param delay the delay, rounded up to whole seconds
	 * @return the description
	 */
	public FaultBuilder retryAfter(Duration delay) {
		return new FaultBuilder(this.faults, this.pattern, this.times, delay);
	}

	/**
	 * Answer with a Status object.
	 * @param code the HTTP status code, such as 503
	 * @return the fault
	 */
	public Fault status(int code) {
		return status(code, "fault injected by the test");
	}

	/**
	 * Answer with a Status object.
	 * @param code the HTTP status code, such as 503
	 * @param message its message
	 * @return the fault
	 */
	public Fault status(int code, String message) {
		return add((exchange) -> {
			StatusException exception = Statuses.of(code, message);
			exchange
				.fail((this.retryAfter != null) ? Statuses.retryAfter(exception, seconds(this.retryAfter)) : exception);
			return true;
		});
	}

	/**
	 * Answer as if access rules denied the request: 403 with the words of kube-apiserver.
	 * @return the fault
	 */
	public Fault forbid() {
		return add((exchange) -> {
			RecordedRequest request = exchange.recorded();
			ApiPath path = ApiPath.parse(request.path());
			if (path == null) {
				throw Statuses.of(403,
						"forbidden: User \"system:anonymous\" cannot get path \"" + request.path() + "\"");
			}
			throw Statuses.forbidden(request.verb(), new GroupResource(path.group(), path.resource()),
					path.namespace());
		});
	}

	/**
	 * Answer with any body.
	 * @param code the HTTP status code
	 * @param contentType the type of the body, such as "application/json"
	 * @param body the body
	 * @return the fault
	 */
	public Fault body(int code, String contentType, String body) {
		return add((exchange) -> {
			exchange.send(code, contentType, Json.utf8(body));
			return true;
		});
	}

	/**
	 * Cut the connection instead of answering; with HTTP/2 reset the stream.
	 * @return the fault
	 */
	public Fault cut() {
		return add((exchange) -> {
			exchange.cut();
			return true;
		});
	}

	/**
	 * Cut a watch in the middle of its body.
	 * @param events after how many events, not counting bookmarks; 0 cuts before the
	 * first
	 * @return the fault
	 */
	public Fault cutAfter(int events) {
		return add((exchange) -> {
			exchange.cutAfter(events);
			return false;
		});
	}

	private Fault add(FaultRule.Effect effect) {
		return this.faults.add(new FaultRule(this.faults, this.pattern, this.times, effect));
	}

	private static long seconds(Duration delay) {
		return delay.plusMillis(999).toSeconds();
	}

}
