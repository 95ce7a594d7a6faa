package dev.kubeinformer.internal.reflector;

import dev.kubeinformer.types.ListReason;

/**
 * How the next list is asked for, or the one under way, and why.
 *
 * @param reason why it is asked for
 * @param fresh whether it must ask for the most recent state
 * @param current whether it must bring a state that is not older than the request, which
 * the server may do from its cache; not if {@code fresh} demands more
 * @param since the version that such a state must have reached; empty if it is not known
 * yet
 * @param verifying whether it is asked for to find damage that nothing else shows
 * @param pagedAtZero whether the list at version 0 came in pages: the server has no watch
 * cache
 * @param unpaged whether it must ask for everything at once, because its pages expired
 * @param cuts the number of lists in a row that were cut, as by the server's request
 * timeout
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
	 * Returns the list for a state that is not older than its request.
	 * @return the list
	 */
	NextList asCurrent() {
		return new NextList(this.reason, this.fresh, !this.fresh, "", this.verifying, this.pagedAtZero, this.unpaged,
				this.cuts);
	}

	/**
	 * Returns the list for all of the state that a first page showed to be current.
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
	 * Returns the list that follows one that was cut. From the last cut on, it is read in
	 * pages of the most recent state: whole lists of a huge collection take longer than
	 * the server allows. One cut is enough for a list that took the place of pages.
	 * @param most the number of cuts
	 * @return the list
	 */
	NextList cut(int most) {
		boolean inPages = this.cuts + 1 >= most || !this.since.isEmpty();
		NextList next = inPages ? asFresh() : this;
		return new NextList(next.reason, next.fresh, next.current, next.since, next.verifying, next.pagedAtZero,
				next.unpaged && !inPages, next.cuts + 1);
	}

	NextList stored() {
		// Every other way back to a list names its reason.
		return new NextList(ListReason.UNRESUMABLE, false, false, "", false, this.pagedAtZero, false, 0);
	}

}
