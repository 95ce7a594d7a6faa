package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.util.Set;

import okhttp3.Request;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.types.ObjectKey;

/**
 * Tells the observer of a run what happens to one request. Only writes are observed; for
 * a read, all methods do nothing. Used by the thread of the run.
 */
public final class ObservedWrite {

	private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");

	private static final String APPLY = "application/apply-patch+yaml";

	/**
	 * Scope that the observer has opened for the write; {@code null} if the request is a
	 * read, or nobody observes the run.
	 */
	private final RunScope.@Nullable WriteScope scope;

	private ObservedWrite(RunScope.@Nullable WriteScope scope) {
		this.scope = scope;
	}

	/**
	 * Tells the observer of a run that a request is about to be sent.
	 * @param observer the observer of the run
	 * @param resource the resource with its subresource; {@code null} if it is unknown
	 * @param key the key of the object
	 * @param request the request, to which the observer may add headers
	 * @return an object that tells the observer how the request ends
	 */
	public static ObservedWrite begin(WriteObserver observer, @Nullable String resource, ObjectKey key,
			Request.Builder request) {
		Request built = request.build();
		if (resource == null || !WRITES.contains(built.method())) {
			return new ObservedWrite(null);
		}
		return new ObservedWrite(observer.writing(new RunScope.Write(verb(built), resource, key), request::header));
	}

	private static String verb(Request request) {
		return switch (request.method()) {
			case "POST" -> "create";
			case "PUT" -> "update";
			case "DELETE" -> "delete";
			default -> (request.body() != null && String.valueOf(request.body().contentType()).startsWith(APPLY))
					? "apply" : "patch";
		};
	}

	/**
	 * Notes that the API server has responded.
	 * @param status the HTTP status
	 */
	public void answered(int status) {
		if (this.scope != null) {
			this.scope.answered(status);
		}
	}

	/**
	 * Notes that no response was received.
	 * @param failure the exception
	 * @param cancelled whether the run was cancelled
	 */
	public void failed(IOException failure, boolean cancelled) {
		if (this.scope != null) {
			this.scope.unanswered(cancelled ? null : Failure.of(failure).problem(), failure);
		}
	}

	/**
	 * Notes that the request was not sent.
	 * @param refusal the exception
	 */
	public void refused(RuntimeException refusal) {
		if (this.scope != null) {
			this.scope.unanswered(null, refusal);
		}
	}

	/**
	 * Tells the observer that the request is over.
	 */
	public void close() {
		if (this.scope != null) {
			this.scope.close();
		}
	}

}
