package dev.kubeinformer.spring.handler.container;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.TestObjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of {@link NestedObserver}.
 */
class NestedObserverTests {

	private static final IllegalStateException FAILURE = new IllegalStateException();

	private final ResourceEvent<?> event = new ResourceEvent<>(ResourceEvent.Type.ADD, TestObjects.pod("web", "one"),
			null, false, false, false, 1);

	private final List<String> calls = new ArrayList<>();

	@Test
	void innerScopeShouldEndFirst() {
		DeliveryObserver.Scope scope = open((event) -> this.new Recorded("outer"),
				(event) -> this.new Recorded("inner"));
		scope.handled(null);
		scope.close();
		assertThat(this.calls).containsExactly("inner returned", "outer returned", "inner closed", "outer closed");
	}

	@Test
	void outerScopeShouldGetTheOutcomeAlthoughTheInnerObserverFails() {
		DeliveryObserver.Scope scope = open((event) -> this.new Recorded("outer"), NestedObserverTests::fail);
		scope.handled(null);
		assertThat(this.calls).containsExactly("outer returned");
		assertThatThrownBy(scope::close).isSameAs(FAILURE);
		assertThat(this.calls).containsExactly("outer returned", "outer closed");
	}

	@Test
	void failureOfTheOnlyScopeShouldBeThrown() {
		assertThatThrownBy(() -> open((event) -> null, NestedObserverTests::fail)).isSameAs(FAILURE);
	}

	private DeliveryObserver.@Nullable Scope open(DeliveryObserver outer, DeliveryObserver inner) {
		return NestedObserver.of(outer, inner).delivering(this.event);
	}

	private static DeliveryObserver.Scope fail(ResourceEvent<?> event) {
		throw FAILURE;
	}

	private final class Recorded implements DeliveryObserver.Scope {

		private final String name;

		Recorded(String name) {
			this.name = name;
		}

		@Override
		public void handled(@Nullable Throwable failure) {
			NestedObserverTests.this.calls.add(this.name + ((failure != null) ? " failed" : " returned"));
		}

		@Override
		public void close() {
			NestedObserverTests.this.calls.add(this.name + " closed");
		}

	}

}
