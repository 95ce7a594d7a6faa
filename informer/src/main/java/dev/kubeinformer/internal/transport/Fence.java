package dev.kubeinformer.internal.transport;

/**
 * Limits the time in which a reconciler may start runs and its runs may send requests.
 * Once it rejects, it always does. Any thread may call it, also several at once, directly
 * before a run or request: it must be quick and must not block.
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
			return new IllegalStateException("%s was rejected".formatted(what));
		}

	};

	/**
	 * Returns whether a run may begin now.
	 * @return {@code true} if the run may begin
	 */
	boolean admitsRuns();

	/**
	 * Returns whether a run that has begun may send a request now.
	 * @return {@code true} if the request may be sent
	 */
	boolean admitsRequests();

	/**
	 * Returns the exception for a run whose request is rejected.
	 * @param what the rejected request, for the message
	 * @return the exception
	 */
	RuntimeException refusal(String what);

}
