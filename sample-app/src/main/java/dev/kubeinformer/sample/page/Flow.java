package dev.kubeinformer.sample.page;

/**
 * Number of items of one type, such as events, that have passed a stage since the
 * previous message to the page.
 *
 * @param stage the stage
 * @param from the id of the informer that the items come from
 * @param to the id of the handler or reconciler that received them; empty if all handlers
 * and reconcilers of the informer received them
 * @param type the type of the event, the reason of the list, or the outcome of the run
 * @param count the number of items, at least 1
 */
record Flow(Stage stage, String from, String to, String type, long count) {

	/**
	 * Stage between the API server and a handler or reconciler.
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
		 * Events were queued that the API server had not just sent: resyncs, and
		 * differences that a list has revealed.
		 */
		QUEUED,

		/**
		 * A handler returned or threw an exception.
		 */
		HANDLED,

		/**
		 * A reconciler ran.
		 */
		RAN

	}

}
