package dev.kubeinformer.internal.reflector;

import dev.kubeinformer.types.ListReason;

/**
 * Parameters of the next list, or of the list in progress.
 *
 * @param reason the reason for the list
 * @param fresh whether the list must request the most recent state
 * @param current whether the listed state must not be older than the request; the server
 * may read this state from its cache. {@code fresh} is stricter
 * @param since the version that a {@code current} state must have reached; empty if not
 * known yet
 * @param verifying whether the list is requested to find damage that nothing else shows
 * @param pagedAtZero whether a list at version 0 came in pages, which shows that the
 * server has no watch cache
 * @param unpaged whether the list must request everything at once, because its pages
 * expired
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
	 * Returns the parameters of a list that is not older than its request.
	 * @return the parameters
	 */
	NextList asCurrent() {
		return new NextList(this.reason, this.fresh, !this.fresh, "", this.verifying, this.pagedAtZero, this.unpaged,
				this.cuts);
	}

	/**
	 * Returns the parameters of a list of everything at a version or later. The first
	 * page of another list had this version, which is therefore current.
	 * @param version the version of that page
	 * @return the parameters
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
	 * Returns the parameters of the list that follows a cut one. After too many cuts, the
	 * list is read in pages of the most recent state, because complete lists of a huge
	 * collection take longer than the server allows. A list that replaced pages may be
	 * cut only once.
	 * @param most the number of allowed cuts
	 * @return the parameters
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
