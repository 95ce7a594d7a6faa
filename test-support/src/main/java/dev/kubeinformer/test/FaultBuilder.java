package dev.kubeinformer.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.fault.Effect;
import dev.kubeinformer.test.internal.fault.Effects;
import dev.kubeinformer.test.internal.fault.ResponseFault;

/**
 * Immutable builder of a fault. The fault takes effect with the call of a method that
 * returns a {@link Fault}.
 */
public final class FaultBuilder {

	private final Faults faults;

	private final Predicate<? super RecordedRequest> pattern;

	private final int times;

	private final @Nullable Duration delay;

	private final @Nullable Duration retryAfter;

	FaultBuilder(Faults faults, Predicate<? super RecordedRequest> pattern) {
		this(faults, pattern, Integer.MAX_VALUE, null, null);
	}

	private FaultBuilder(Faults faults, Predicate<? super RecordedRequest> pattern, int times, @Nullable Duration delay,
			@Nullable Duration retryAfter) {
		this.faults = faults;
		this.pattern = pattern;
		this.times = times;
		this.delay = delay;
		this.retryAfter = retryAfter;
	}

	/**
	 * Limits the fault to the next matching requests.
	 * @param requests the number of requests; without this setting all requests are hit
	 * until the fault is removed
	 * @return a builder with this setting
	 */
	public FaultBuilder times(int requests) {
		return new FaultBuilder(this.faults, this.pattern, Checks.atLeast(1, "Number of requests", requests),
				this.delay, this.retryAfter);
	}

	/**
	 * Delays the fault. If the fault is removed during the delay, the request is served
	 * immediately and as usual.
	 * @param time the time between the request and the fault
	 * @return a builder with this setting
	 */
	public FaultBuilder afterDelay(Duration time) {
		return new FaultBuilder(this.faults, this.pattern, this.times, Checks.notNegative("Delay", time),
				this.retryAfter);
	}

	/**
	 * Sets the time that the response of {@link #status(int)} tells the client to wait,
	 * in the header {@code Retry-After} and in the Status.
	 * @param delay the delay, rounded up to whole seconds
	 * @return a builder with this setting
	 */
	public FaultBuilder retryAfter(Duration delay) {
		return new FaultBuilder(this.faults, this.pattern, this.times, this.delay,
				Checks.notNegative("Time to wait", delay));
	}

	/**
	 * Responds with a Status object.
	 * @param code the HTTP status code, such as 503
	 * @return the fault
	 */
	public Fault status(int code) {
		return status(code, "fault injected by the test");
	}

	/**
	 * Responds with a Status object.
	 * @param code the HTTP status code, such as 503
	 * @param message its message
	 * @return the fault
	 */
	public Fault status(int code, String message) {
		return add(Effects.status(code, message, this.retryAfter));
	}

	/**
	 * Responds as if access rules denied the request: 403 with the message of
	 * kube-apiserver.
	 * @return the fault
	 */
	public Fault forbid() {
		return add(Effects.forbid());
	}

	/**
	 * Responds with any body.
	 * @param code the HTTP status code
	 * @param contentType the type of the body, such as "application/json"
	 * @param body the body
	 * @return the fault
	 */
	public Fault body(int code, String contentType, String body) {
		return add(Effects.body(code, contentType, body.getBytes(StandardCharsets.UTF_8)));
	}

	/**
	 * Responds as usual after a delay. If the fault is removed during the delay, the
	 * response is sent immediately.
	 * @param time the time between the request and the response; the response has the
	 * state at the end of this time
	 * @return the fault
	 */
	public Fault delay(Duration time) {
		return afterDelay(time).add(Effects.usual());
	}

	/**
	 * Cuts the connection instead of responding; with HTTP/2 resets the stream.
	 * @return the fault
	 */
	public Fault cut() {
		return add(Effects.cut());
	}

	/**
	 * Cuts the connection in the middle of a body; with HTTP/2 resets the stream.
	 * @param count the number of events of a watch (without bookmarks) or of items of a
	 * list that precede the fault; with 0, the fault also hits other responses
	 * @return the fault
	 */
	public Fault cutAfter(int count) {
		return spoil(ResponseFault.Kind.CUT, count);
	}

	/**
	 * Ends a body in the middle of an object, but ends the HTTP response correctly.
	 * @param count the number of events of a watch or of items of a list that precede the
	 * fault; with 0, the fault also hits other responses
	 * @return the fault
	 */
	public Fault truncateAfter(int count) {
		return spoil(ResponseFault.Kind.TRUNCATE, count);
	}

	/**
	 * Never responds, and leaves the connection open. When the fault is removed, held
	 * requests are served as usual.
	 * @return the fault
	 */
	public Fault freeze() {
		return add(Effects.freeze());
	}

	/**
	 * Stops writing in the middle of a body, and leaves the connection open. A watch
	 * receives no bookmarks and does not end at its timeout. When the fault is removed,
	 * the held data is sent.
	 * @param count the number of events of a watch or of items of a list that precede the
	 * fault; with 0, only the headers are sent
	 * @return the fault
	 */
	public Fault freezeAfter(int count) {
		return spoil(ResponseFault.Kind.FREEZE, count);
	}

	/**
	 * Sends bytes that are neither JSON nor UTF-8 in an otherwise normal body. On a watch
	 * they form a line.
	 * @param count the number of events of a watch or of items of a list that precede the
	 * fault; with 0, the fault also hits other responses
	 * @return the fault
	 */
	public Fault garbageAfter(int count) {
		return spoil(ResponseFault.Kind.GARBAGE, count);
	}

	/**
	 * Omits the first events of a watch.
	 * @param events the number of events, without bookmarks
	 * @return the fault
	 */
	public Fault dropEvents(int events) {
		return spoil(ResponseFault.Kind.DROP, events);
	}

	/**
	 * Sends the first events of a watch twice.
	 * @param events the number of events, without bookmarks
	 * @return the fault
	 */
	public Fault repeatEvents(int events) {
		return spoil(ResponseFault.Kind.REPEAT, events);
	}

	/**
	 * Sends the body in small pieces. When the fault is removed, the rest is sent at
	 * once.
	 * @param bytes the size of a piece
	 * @param every the time between two pieces
	 * @return the fault
	 */
	public Fault dribble(int bytes, Duration every) {
		return add(Effects.dribble(Checks.atLeast(1, "Number of bytes", bytes),
				Checks.notNegative("Time between pieces", every)));
	}

	/**
	 * Sends a false resourceVersion.
	 * @param version the version to send; may be empty
	 * @return the fault
	 * @see #resourceVersion(UnaryOperator)
	 */
	public Fault resourceVersion(String version) {
		return resourceVersion((truth) -> version);
	}

	/**
	 * Sends false resourceVersions: in the metadata of a list, in all events and
	 * bookmarks of a watch, or in the object of a get.
	 * @param change the function from the true version to the version to send
	 * @return the fault
	 */
	public Fault resourceVersion(UnaryOperator<String> change) {
		return add(Effects.resourceVersion(change));
	}

	/**
	 * Responds to gets and lists with an older state and its older resourceVersion, like
	 * an API server that lags behind. Watches start at this older resourceVersion,
	 * whichever version they request. Further pages of a list follow their continue
	 * token.
	 * @param version the resourceVersion, which must not be compacted
	 * @return the fault
	 */
	public Fault asOf(String version) {
		return add(Effects.asOf(Long.parseLong(version)));
	}

	private Fault spoil(ResponseFault.Kind kind, int count) {
		return add(Effects.spoil(kind, count));
	}

	private Fault add(Effect effect) {
		return this.faults.add(this.pattern, this.times, this.delay, effect);
	}

}
