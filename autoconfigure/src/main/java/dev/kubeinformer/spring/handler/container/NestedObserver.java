package dev.kubeinformer.spring.handler.container;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Two nested observers of deliveries.
 *
 * @param outer the outer observer
 * @param inner the inner observer
 */
record NestedObserver(DeliveryObserver outer, DeliveryObserver inner) implements DeliveryObserver {

	/**
	 * Nests an observer in another one.
	 * @param outer the outer observer; {@code null} for none
	 * @param inner the inner observer; {@code null} for none
	 * @return both of them, or the only one; {@code null} if there is none
	 */
	static @Nullable DeliveryObserver of(@Nullable DeliveryObserver outer, @Nullable DeliveryObserver inner) {
		if (outer == null || inner == null) {
			return (outer != null) ? outer : inner;
		}
		return new NestedObserver(outer, inner);
	}

	@Override
	public @Nullable Scope delivering(ResourceEvent<?> event) {
		Scope around = this.outer.delivering(event);
		if (around == null) {
			return this.inner.delivering(event);
		}
		try {
			Scope within = this.inner.delivering(event);
			return (within != null) ? new Nested(around, within) : around;
		}
		catch (Throwable ex) {
			// The outer observer must still be notified of the outcome.
			return new Nested(around, new Failed(ex));
		}
	}

	/**
	 * Scopes of the two observers for one delivery.
	 *
	 * @param around the outer scope
	 * @param within the inner scope
	 */
	private record Nested(Scope around, Scope within) implements Scope {

		@Override
		public void handled(@Nullable Throwable failure) {
			try {
				this.within.handled(failure);
			}
			finally {
				this.around.handled(failure);
			}
		}

		@Override
		public void close() {
			try {
				this.within.close();
			}
			finally {
				this.around.close();
			}
		}

	}

	/**
	 * Scope of an observer whose call failed. The failure is thrown only when the scope
	 * is closed, so that the caller logs it with the id of the handler.
	 *
	 * @param failure the failure of the observer
	 */
	private record Failed(Throwable failure) implements Scope {

		@Override
		public void handled(@Nullable Throwable outcome) {
		}

		@Override
		public void close() {
			ReflectionUtils.rethrowRuntimeException(this.failure);
		}

	}

}
