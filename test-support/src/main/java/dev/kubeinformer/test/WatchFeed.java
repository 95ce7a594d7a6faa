package dev.kubeinformer.test;

import java.io.ByteArrayOutputStream;
import java.util.Iterator;

import org.jspecify.annotations.Nullable;

/**
 * What one watch has to tell, in order: the initial objects and their end, then every
 * change its selector lets through, and bookmarks whenever nothing is left. It does no
 * I/O and is used by one thread at a time, apart from {@link #requestBookmark()}.
 */
final class WatchFeed {

	private final RevisionLog log;

	private final ObjectRenderer renderer;

	private final ResourceDefinition type;

	private final Selector selector;

	private final long lagLimit;

	private final long start;

	private final Iterator<StoredObject> initial;

	private Change position;

	private boolean markerDue;

	private volatile boolean bookmarkDue;

	private int eventsUntilCut;

	WatchFeed(RevisionLog log, ObjectRenderer renderer, ResourceDefinition type, Selector selector,
			RevisionLog.WatchStart start, boolean marker, long lagLimit, @Nullable Integer cutAfter) {
		this.log = log;
		this.renderer = renderer;
		this.type = type;
		this.selector = selector;
		this.lagLimit = lagLimit;
		this.start = start.revision();
		this.initial = start.initial().stream().filter(selector).iterator();
		this.position = start.position();
		this.markerDue = marker;
		this.eventsUntilCut = (cutAfter != null) ? cutAfter : -1;
	}

	/**
	 * Ask for a bookmark; it is told after what has happened until now.
	 */
	void requestBookmark() {
		this.bookmarkDue = true;
	}

	// Whether a fault asks for the end of the stream after what was told.
	boolean isCut() {
		return this.eventsUntilCut == 0;
	}

	// Whether so much is left to tell that the server gives up.
	boolean isTooSlow() {
		return this.log.sequence(this.type.resource()) - this.position.sequence() > this.lagLimit;
	}

	/**
	 * Return the next lines.
	 * @param enough the number of bytes after which no further line is added
	 * @return the lines, empty if there is nothing to tell
	 */
	byte[] next(int enough) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		while (this.initial.hasNext() && out.size() < enough && !isCut()) {
			tell(out, Change.Type.ADDED, this.initial.next());
		}
		if (this.markerDue && !this.initial.hasNext() && !isCut()) {
			this.markerDue = false;
			out.writeBytes(this.renderer.bookmark(this.type, this.start, true));
		}
		Change change = this.position.next();
		while (!this.initial.hasNext() && change != null && out.size() < enough && !isCut()) {
			this.position = change;
			if (change.revision() > this.start) {
				tell(out, change);
			}
			change = change.next();
		}
		if (this.bookmarkDue && change == null && !this.initial.hasNext() && !isCut()) {
			bookmark(out);
		}
		return out.toByteArray();
	}

	private void tell(ByteArrayOutputStream out, Change change) {
		StoredObject previous = change.previous();
		boolean before = previous != null && this.selector.test(previous);
		boolean after = change.type() != Change.Type.DELETED && this.selector.test(change.object());
		if (after) {
			tell(out, (before) ? Change.Type.MODIFIED : Change.Type.ADDED, change.object());
		}
		else if (before) {
			// an object that leaves the selector is told in its last state that matched
			tell(out, Change.Type.DELETED,
					(change.type() == Change.Type.DELETED) ? change.object() : change.departed());
		}
	}

	private void tell(ByteArrayOutputStream out, Change.Type event, StoredObject object) {
		out.writeBytes(this.renderer.event(event, this.type, object));
		if (this.eventsUntilCut > 0) {
			this.eventsUntilCut--;
		}
	}

	private void bookmark(ByteArrayOutputStream out) {
		long revision = this.log.revisionIfLatest(this.position);
		if (revision < 0) {
			return;
		}
		this.bookmarkDue = false;
		// a watch from the future hears nothing before that future
		if (revision >= this.start) {
			out.writeBytes(this.renderer.bookmark(this.type, revision, false));
		}
	}

}
