package dev.kubeinformer.internal.informer;

import java.util.Objects;

import io.kubernetes.client.informer.TransformFunc;

import dev.kubeinformer.spi.TransformException;

/**
 * Descriptions of why an object cannot be transformed. They name the transform, and hold
 * nothing of the object.
 *
 * @param transform the transform
 */
record TransformProblems(TransformFunc transform) {

	/** What follows it in the name of a class of a lambda is another each time. */
	private static final String LAMBDA = "$$Lambda";

	String thrown(Throwable ex) {
		if (ex instanceof TransformException named) {
			return problem(named.transform(), "threw " + place(Objects.requireNonNullElse(named.getCause(), ex)));
		}
		return problem(name(), "threw " + place(ex));
	}

	String returned(Class<?> objectClass) {
		return problem(name(), "returned an object of " + objectClass.getName());
	}

	String notFrozen(Throwable ex) {
		return problem(name(), "returned what cannot be made unmodifiable, because of " + ex.getClass().getName());
	}

	private static String problem(String name, String fact) {
		return "it cannot be transformed, as transform '%s' %s".formatted(name, fact);
	}

	private static String place(Throwable ex) {
		// Not its message, which may quote the object.
		StackTraceElement[] trace = ex.getStackTrace();
		return (trace.length > 0) ? "%s in %s".formatted(ex.getClass().getName(), trace[0]) : ex.getClass().getName();
	}

	private String name() {
		String name = this.transform.getClass().getName();
		int lambda = name.indexOf(LAMBDA);
		return (lambda > 0) ? name.substring(0, lambda) : name;
	}

}
