package dev.kubeinformer.internal.transport;

/**
 * Limit of the time in which a reconciler may run and its runs may send requests. Once it
 * admits nothing more, it never does again. It is asked by any thread, also by several at
 * once, and right before what it admits: it must be quick and wait for nothing.
 */
public interface Fence {

	/** Fence that admits everything. */
	Fence NONE = new Fence() {

		@Override
		public boolean admitsRuns() {
			return true;
		}

		@Override
		public boolean admitsRequests() {
			return true;
		}

		@Override
		public RuntimeException refusal(String what) {
			return new IllegalStateException("%s was refused".formatted(what));
		}

	};

	/**
	 * Returns whether a run may begin now.
	 * @return whether it may
	 */
	boolean admitsRuns();

	/**
	 * Returns whether a run that has begun may send a request now.
	 * @return whether it may
	 */
	boolean admitsRequests();

	/**
	 * Returns what is thrown to a run whose request is refused.
	 * @param what what is refused, for people
	 * @return the exception
	 */
	RuntimeException refusal(String what);

}
