package dev.kubeinformer.types;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WriteFailedExceptionTests {

	private static final ObjectKey KEY = new ObjectKey("web", "a");

	@Test
	void stackTraceShouldBeThatOfTheApplication() {
		StackTraceElement[] trace = trace("dev.kubeinformer.internal.transport.WriteRequests",
				"dev.kubeinformer.internal.reconcile.RunReconciliation", "com.example.Children", "java.util.ArrayList",
				"com.example.FooReconciler", "jdk.internal.reflect.DirectMethodHandleAccessor",
				"java.lang.reflect.Method", "dev.kubeinformer.spring.reconciler.ReconcileMethod",
				"dev.kubeinformer.internal.reconcile.ReconcileRunner$Attempt",
				"dev.kubeinformer.internal.controller.ReconcilerSession", "java.lang.Thread");
		assertThat(OwnFrames.of(trace)).extracting(StackTraceElement::getClassName)
			.containsExactly("com.example.Children", "java.util.ArrayList", "com.example.FooReconciler");
	}

	@Test
	void stackTraceOfAWriteOfTheEngineShouldBeEmpty() {
		assertThat(OwnFrames.of(trace("dev.kubeinformer.internal.transport.WriteRequests",
				"dev.kubeinformer.internal.reconcile.FinalizerWrites",
				"dev.kubeinformer.internal.reconcile.ReconcileRunner$Attempt",
				"dev.kubeinformer.internal.controller.ReconcilerSession", "java.lang.Thread")))
			.isEmpty();
		assertThat(OwnFrames.of(new StackTraceElement[0])).isEmpty();
	}

	private static StackTraceElement[] trace(String... classes) {
		return List.of(classes)
			.stream()
			.map((name) -> new StackTraceElement(name, "call", null, 1))
			.toArray(StackTraceElement[]::new);
	}

	@Test
	void writeShouldBeFoundAmongTheCauses() {
		FailedWrite write = new FailedWrite("patch", "foos.example.com/status", "Foo", KEY, 422, "Invalid",
				"policy 'p'", List.of("spec.a", "spec.b"));
		WriteFailedException failure = new WriteFailedException("refused", write, true, Map.of(), "{}");
		assertThat(failure.getCode()).isEqualTo(422);
		assertThat(WriteFailedException.in(new IllegalStateException(failure))).isSameAs(failure);
		assertThat(WriteFailedException.in(new IllegalStateException())).isNull();
		assertThat(write).hasToString("patch foos.example.com/status 'web/a'");
		assertThat(write.answer()).isEqualTo("HTTP 422 Invalid by policy 'p': spec.a, spec.b");
		assertThat(new FailedWrite("create", "pods", "Pod", new ObjectKey("web", ""), 0, "", "", List.of()))
			.hasToString("create pods 'web'")
			.extracting(FailedWrite::answer)
			.isEqualTo("");
	}

}
