package dev.kubeinformer.internal.reflector;

import dev.kubeinformer.types.ListReason;

/**
 * Parameters of the next or current list.
 *
 * @param reason the reason for the list
 * @param fresh whether it must request the most recent state
 * @param current whether its state must not be older than the request, which the server
 * may respond from its cache; {@code fresh} demands more
 * @param since the version that such a state must have reached; empty if it is not known
 * yet
 * @param verifying whether it is requested to find damage that nothing else shows
 * @param pagedAtZero whether a list at version 0 came in pages, which shows that the
 * server has no watch cache
 * @param unpaged whether it must request everything at once, because its pages expired
 * @param cuts the number of lists in a row that were cut, for example by the server's
 * request timeout
 */
record NextList(ListReason reason, boolean fresh, boolean current, String since, boolean verifying, boolean pagedAtZero,
		boolean unpaged, int cuts) {

	static NextList initial() {
		return new NextList(ListReason.INITIAL, false, false, "", false, false, false, 0);
	}

	NextList because(ListReason cause) {
		return new NextList(cause, this.fresh, this.current, this.since, this.verifying, this.pagedAtZero, this.unpaged,
				this.cuts);
	}

	NextList asFresh() {
		return new NextList(this.reason, true, false, "", this.verifying, this.pagedAtZero, this.unpaged, this.cuts);
	}

	/**
	 * Returns the list of a state that is not older than its request.
	 * @return the list
	 */
	NextList asCurrent() {
		return new NextList(this.reason, this.fresh, !this.fresh, "", this.verifying, this.pagedAtZero, this.unpaged,
				this.cuts);
	}

	/**
	 * Returns the list of the whole state at a version, which a first page showed to be
	 * current.
	 * @param version the version of that page
	 * @return the list
	 */
	NextList since(String version) {
		return new NextList(this.reason, this.fresh, this.current, version, this.verifying, this.pagedAtZero,
				this.unpaged, this.cuts);
	}

	NextList asVerification() {
		return new NextList(ListReason.VERIFICATION, true, false, "", true, this.pagedAtZero, this.unpaged, this.cuts);
	}

	NextList withoutVerification() {
		return new NextList(ListReason.UNRESUMABLE, false, false, "", false, this.pagedAtZero, this.unpaged, this.cuts);
	}

	NextList withoutPages() {
		return new NextList(this.reason, this.fresh, this.current, this.since, this.verifying, this.pagedAtZero, true,
				this.cuts);
	}

	NextList pagedAtZero(boolean paged) {
		return new NextList(this.reason, this.fresh, this.current, this.since, this.verifying,
				this.pagedAtZero || paged, this.unpaged, this.cuts);
	}

	/**
	 * Returns the list after one that was cut. After too many cuts it is read in pages of
	 * the most recent state, because complete lists of a huge collection take longer than
	 * the server allows. A list that replaced pages may be cut only once.
	 * @param most the number of allowed cuts
	 * @return the list
	 */
	NextList cut(int most) {
		boolean inPages = this.cuts + 1 >= most || !this.since.isEmpty();
		NextList next = inPages ? asFresh() : this;
		return new NextList(next.reason, next.fresh, next.current, next.since, next.verifying, next.pagedAtZero,
				next.unpaged && !inPages, next.cuts + 1);
	}

	NextList stored() {
		// All other transitions to a list set their own reason.
		return new NextList(ListReason.UNRESUMABLE, false, false, "", false, this.pagedAtZero, false, 0);
	}

}
