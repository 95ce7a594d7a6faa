package dev.kubeinformer.applyfuzz;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A history after which the object of the operator is not what it should be.
 */
final class FuzzFailure extends AssertionError {

	private static final long serialVersionUID = 1L;

	final transient FuzzType type;

	final transient List<FuzzStep> history;

	FuzzFailure(String what, FuzzType type, List<FuzzStep> history, long seed, int round) {
		super("%s of %s, seed %d, round %d, history:\n%s".formatted(what, type, seed, round,
				history.stream().map(FuzzStep::toString).collect(Collectors.joining("\n"))));
		this.type = type;
		this.history = history;
	}

}
