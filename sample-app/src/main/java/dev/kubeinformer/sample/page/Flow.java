package dev.kubeinformer.sample.page;

/**
 * How many things of one sort went one step of the way since the page was last told.
 *
 * @param stage the step
 * @param from the id of the informer they come from
 * @param to the id of the handler or reconciler they went to; empty if they went to all
 * of the informer
 * @param type what they are: the type of an event, the reason of a list, or what came of
 * a run
 * @param count their number, at least 1
 */
record Flow(Stage stage, String from, String to, String type, long count) {

	/**
	 * A step of the way from the API server to a handler or reconciler.
	 */
	enum Stage {

		/**
		 * A full list was stored in the cache.
		 */
		LISTED,

		/**
		 * The API server sent an event on a watch.
		 */
		RECEIVED,

		/**
		 * Events were queued that the API server did not send now: resyncs, and the
		 * differences that a list found.
		 */
		QUEUED,

		/**
		 * A handler returned or threw.
		 */
		HANDLED,

		/**
		 * A reconciler ran.
		 */
		RAN

	}

}
