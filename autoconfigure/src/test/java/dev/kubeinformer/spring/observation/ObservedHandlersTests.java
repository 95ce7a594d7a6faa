package dev.kubeinformer.spring.observation;

import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.TestObjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of {@link ObservedHandlers} with observations that go wrong.
 */
@ExtendWith(OutputCaptureExtension.class)
class ObservedHandlersTests {

	private final ResourceEvent<V1Pod> event = new ResourceEvent<>(ResourceEvent.Type.ADD,
			TestObjects.pod("web", "one"), null, false, false, false, 1);

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Recorder recorder = new Recorder();

	private final List<Integer> scopes = new ArrayList<>();

	@Test
	void conventionThatImplementsTheInterfaceAloneShouldNameTheObservation() throws Exception {
		this.registry.observationConfig().observationHandler(this.recorder);
		observed(this::noteScopes, new PlainConvention()).handle(this.event);
		assertThat(this.recorder.stopped).containsExactly("plain {handler=h}");
	}

	@Test
	void withoutAConventionTheDefaultShouldNameTheObservation() throws Exception {
		this.registry.observationConfig().observationHandler(this.recorder);
		observed(this::noteScopes, null).handle(this.event);
		assertThat(this.recorder.stopped).singleElement()
			.asString()
			.startsWith("kubernetes.informer.handler {")
			.contains("handler=h", "outcome=success");
	}

	@ParameterizedTest
	@EnumSource
	void failureOfAnObservationShouldBeNoneOfTheHandler(Step step, CapturedOutput output) throws Exception {
		EventHandler<V1Pod> observed = failing(step, this::noteScopes);
		observed.handle(this.event);
		observed.handle(this.event);
		int expected = step.inScope ? 1 : 0;
		assertThat(this.scopes).containsExactly(expected, expected);
		assertThat(this.registry.getCurrentObservationScope()).isNull();
		if (step != Step.ERROR) {
			assertThat(output.getOut()).containsOnlyOnce(OwnException.class.getName()).contains("WARN", "'h'");
		}
		assertThat(output).doesNotContain("canary");
	}

	@ParameterizedTest
	@EnumSource
	void exceptionOfTheHandlerShouldGoOutUnchanged(Step step, CapturedOutput output) {
		Exception thrown = new Exception("canary");
		EventHandler<V1Pod> observed = failing(step, (event) -> {
			throw thrown;
		});
		for (int i = 0; i < 2; i++) {
			assertThatThrownBy(() -> observed.handle(this.event)).isSameAs(thrown).hasNoSuppressedExceptions();
		}
		assertThat(this.registry.getCurrentObservationScope()).isNull();
		assertThat(output.getOut()).containsOnlyOnce(OwnException.class.getName()).doesNotContain("canary");
	}

	@Test
	void observationThatStartedInPartShouldBeStopped() {
		this.registry.observationConfig().observationHandler(this.recorder).observationHandler(new Failing(Step.START));
		assertThatCode(() -> observed(this::noteScopes, null).handle(this.event)).doesNotThrowAnyException();
		assertThat(this.recorder.stopped).singleElement().asString().contains("outcome=success");
	}

	@ParameterizedTest
	@EnumSource
	void scopeAroundTheHandlerShouldBeThereAgain(Step step) throws Exception {
		this.registry.observationConfig().observationHandler(this.recorder);
		try (Observation.Scope outer = Observation.start("outer", this.registry).openScope()) {
			failing(step, this::noteScopes).handle(this.event);
			assertThat(this.registry.getCurrentObservationScope()).isSameAs(outer);
		}
	}

	private EventHandler<V1Pod> failing(Step step, EventHandler<V1Pod> handler) {
		this.registry.observationConfig().observationHandler(new Failing(step));
		return observed(handler, (step == Step.CONVENTION) ? new FailingConvention() : null);
	}

	private EventHandler<V1Pod> observed(EventHandler<V1Pod> handler, InformerHandlerObservationConvention convention) {
		DeliveryObserver observer = new ObservedHandlers(() -> this.registry, () -> convention, () -> false)
			.observer("h", InformerSpec.of(V1Pod.class));
		return (event) -> deliver(handler, event, observer.delivering(event));
	}

	// As the engine does.
	private static void deliver(EventHandler<V1Pod> handler, ResourceEvent<V1Pod> event, DeliveryObserver.Scope scope)
			throws Exception {
		try {
			handler.handle(event);
			if (scope != null) {
				scope.handled(null);
			}
		}
		catch (Exception ex) {
			if (scope != null) {
				scope.handled(ex);
			}
			throw ex;
		}
		finally {
			if (scope != null) {
				scope.close();
			}
		}
	}

	private void noteScopes(ResourceEvent<V1Pod> handled) {
		int depth = 0;
		for (Observation.Scope scope = this.registry.getCurrentObservationScope(); scope != null; scope = scope
			.getPreviousObservationScope()) {
			depth++;
		}
		this.scopes.add(depth);
	}

	enum Step {

		CONVENTION(false), START(false), SCOPE_OPENED(false), ERROR(true), SCOPE_CLOSED(true), STOP(true);

		private final boolean inScope;

		Step(boolean inScope) {
			this.inScope = inScope;
		}

	}

	static final class OwnException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		OwnException() {
			super("canary");
		}

	}

	record Failing(Step step) implements ObservationHandler<Observation.Context> {

		private void failAt(Step now) {
			if (now == this.step) {
				throw new OwnException();
			}
		}

		@Override
		public void onStart(Observation.Context context) {
			failAt(Step.START);
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			failAt(Step.SCOPE_OPENED);
		}

		@Override
		public void onError(Observation.Context context) {
			failAt(Step.ERROR);
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			failAt(Step.SCOPE_CLOSED);
		}

		@Override
		public void onStop(Observation.Context context) {
			failAt(Step.STOP);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	static final class Recorder implements ObservationHandler<Observation.Context> {

		private final List<String> stopped = new ArrayList<>();

		@Override
		public void onStop(Observation.Context context) {
			List<String> tags = context.getLowCardinalityKeyValues()
				.stream()
				.map((tag) -> tag.getKey() + "=" + tag.getValue())
				.toList();
			this.stopped.add(context.getName() + " {" + String.join(", ", tags) + "}");
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	static final class PlainConvention implements InformerHandlerObservationConvention {

		@Override
		public String getName() {
			return "plain";
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(InformerHandlerObservationContext context) {
			return KeyValues.of("handler", context.getHandler());
		}

	}

	static final class FailingConvention extends DefaultInformerHandlerObservationConvention {

		@Override
		public String getName() {
			throw new OwnException();
		}

	}

}
