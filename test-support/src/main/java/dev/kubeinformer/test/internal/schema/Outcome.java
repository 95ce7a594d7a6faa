package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Failures of a value, and the number of checks that the value has passed. If a value
 * does not match any of several alternatives, the message is about the alternative with
 * the most passed checks (pkg/validation/validate of k8s.io/kube-openapi).
 */
final class Outcome {

	private final List<FieldError> errors = new ArrayList<>();

	private int passed;

	void add(FieldError error) {
		boolean known = this.errors.stream()
			.anyMatch((other) -> other.field().equals(error.field()) && other.kind() == error.kind()
					&& other.detail().equals(error.detail()));
		if (!known) {
			this.errors.add(error);
		}
	}

	void merge(@Nullable Outcome other) {
		if (other != null) {
			other.errors.forEach(this::add);
			this.passed += other.passed;
		}
	}

	void pass() {
		this.passed++;
	}

	int passed() {
		return this.passed;
	}

	boolean isValid() {
		return this.errors.isEmpty();
	}

	List<FieldError> errors() {
		return this.errors;
	}

	// Drops the failures, because the update has not changed the value.
	void forgive() {
		this.errors.clear();
	}

}
