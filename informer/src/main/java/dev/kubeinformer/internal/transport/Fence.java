package dev.kubeinformer.internal.transport;

/**
 * Decides whether a reconciler may still start runs, and whether its runs may still send
 * requests. For example, a replica that has lost its Lease must do neither. A fence that
 * has rejected once rejects from then on. It is called directly before each run and
 * request, by any thread and by several threads at once, so it must be quick and must not
 * block.
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
