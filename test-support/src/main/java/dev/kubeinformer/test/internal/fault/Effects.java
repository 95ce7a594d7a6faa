package dev.kubeinformer.test.internal.fault;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Creates the effects that faults can have.
 */
public final class Effects {

	private Effects() {
	}

	// Responds with a Status object.
	public static Effect status(int code, String message, @Nullable Duration retryAfter) {
		RequestFailure plain = Statuses.of(code, message);
		RequestFailure failure = (retryAfter != null) ? Statuses.retryAfter(plain, seconds(retryAfter)) : plain;
		return (rule, exchange, usual) -> exchange.fail(failure);
	}

	private static long seconds(Duration delay) {
		long whole = delay.toSeconds();
		return (delay.getNano() > 0 && whole < Long.MAX_VALUE) ? whole + 1 : whole;
	}

	// Responds as if access rules denied the request.
	public static Effect forbid() {
		return (rule, exchange, usual) -> exchange.fail(forbidden(exchange.recorded()));
	}

	private static RequestFailure forbidden(ApiRequest request) {
		ApiPath path = ApiPath.parse(request.path());
		if (path == null) {
			return Statuses.of(403, "forbidden: User \"system:anonymous\" cannot get path \"" + request.path() + "\"");
		}
		return Statuses.forbidden(request.verb(), new GroupResource(path.group(), path.resource()), path.namespace());
	}

	// Responds with any body.
	public static Effect body(int code, String contentType, byte[] body) {
		return (rule, exchange, usual) -> exchange.send(code, contentType, body);
	}

	// Responds as usual.
	public static Effect usual() {
		return (rule, exchange, usual) -> usual.run();
	}

	// Cuts the connection instead of responding.
	public static Effect cut() {
		return (rule, exchange, usual) -> exchange.cut();
	}

	// Holds the request without a response until the fault is removed.
	public static Effect freeze() {
		return (rule, exchange, usual) -> {
			exchange.logUnanswered();
			Pause.beforeAnswer(rule, exchange, null, usual);
		};
	}

	/**
	 * Corrupts a body.
	 * @param kind the kind of corruption
	 * @param after the number of events of a watch, or items of a list, that precede the
	 * corruption
	 * @return the effect
	 */
	public static Effect spoil(ResponseFault.Kind kind, int after) {
		return disturb((rule) -> new ResponseFault.Body(rule, kind, after));
	}

	// Sends the body in small pieces.
	public static Effect dribble(int bytes, Duration every) {
		return disturb((rule) -> new ResponseFault.Dribble(rule, bytes, every));
	}

	// Sends false resourceVersions.
	public static Effect resourceVersion(UnaryOperator<String> change) {
		return disturb((rule) -> new ResponseFault.Versions(rule, change));
	}

	// Responds with the state of an older revision.
	public static Effect asOf(long revision) {
		ResponseFault.AsOf asOf = new ResponseFault.AsOf(revision);
		return disturb((rule) -> asOf);
	}

	private static Effect disturb(Function<FaultRule, ResponseFault> disturbance) {
		return (rule, exchange, usual) -> {
			exchange.interfere(disturbance.apply(rule));
			usual.run();
		};
	}

}
