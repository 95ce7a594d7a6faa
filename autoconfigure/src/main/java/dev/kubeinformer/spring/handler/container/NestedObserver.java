package dev.kubeinformer.spring.handler.container;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Two observers of deliveries, one inside of the other.
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
		Scope within = null;
		try {
			within = this.inner.delivering(event);
		}
		catch (RuntimeException | Error ex) {
			if (around != null) {
				around.close();
			}
			throw ex;
		}
		return (around != null && within != null) ? new Nested(around, within) : (around != null) ? around : within;
	}

	/**
	 * Two scopes.
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

}
