package dev.kubeinformer.types;

import java.util.Arrays;
import java.util.List;

/**
 * Reduces the stack trace of a failed write to the frames of the application. It removes
 * the frames of the engine that call the reconciler, and those that send the write,
 * because they do not explain why the write was rejected.
 */
final class OwnFrames {

	private static final String ENGINE = "dev.kubeinformer.internal.";

	private static final String RUNNER = ENGINE + "reconcile.ReconcileRunner";

	private static final List<String> CALLERS = List.of("dev.kubeinformer.spring.", "java.lang.reflect.",
			"jdk.internal.reflect.", "java.lang.invoke.", "org.springframework.");

	private OwnFrames() {
	}

	/**
	 * Returns the frames of the application: those between the engine's call of the
	 * reconciler and the call that sends the write.
	 * @param trace the frames, the innermost first
	 * @return the frames of the application; empty if the engine itself sent the write
	 */
	static StackTraceElement[] of(StackTraceElement[] trace) {
		int to = 0;
		while (to < trace.length && !trace[to].getClassName().startsWith(RUNNER)) {
			to++;
		}
		int from = 0;
		while (from < to && trace[from].getClassName().startsWith(ENGINE)) {
			from++;
		}
		while (to > from && isCaller(trace[to - 1])) {
			to--;
		}
		return Arrays.copyOfRange(trace, from, to);
	}

	private static boolean isCaller(StackTraceElement frame) {
		return CALLERS.stream().anyMatch(frame.getClassName()::startsWith);
	}

}
