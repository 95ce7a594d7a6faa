package dev.kubeinformer.test.internal.watch;

import java.io.ByteArrayOutputStream;
import java.util.Iterator;

import dev.kubeinformer.test.internal.fault.WatchFault;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.selector.Selector;
import dev.kubeinformer.test.internal.storage.Change;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.storage.StoredObject;

/**
 * Lines of one watch, in order: the initial objects and their end, then every change its
 * selector lets through, and bookmarks whenever nothing is left. It does no I/O and is
 * used by one thread at a time, apart from {@link #requestBookmark()}.
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

	private final WatchFault fault;

	WatchFeed(RevisionLog log, ObjectRenderer renderer, ResourceDefinition type, Selector selector,
			RevisionLog.WatchStart start, boolean marker, long lagLimit, WatchFault fault) {
		this.log = log;
		this.renderer = renderer;
		this.type = type;
		this.selector = selector;
		this.lagLimit = lagLimit;
		this.start = start.revision();
		this.initial = start.initial().stream().filter(selector).iterator();
		this.position = start.position();
		this.markerDue = marker;
		this.fault = fault;
	}

	/**
	 * Asks for a bookmark; it follows what has happened until now.
	 */
	void requestBookmark() {
		this.bookmarkDue = true;
	}

	WatchFault fault() {
		return this.fault;
	}

	// Whether so much is left to send that the server gives up.
	boolean isTooSlow() {
		return this.log.sequence(this.type.resource()) - this.position.sequence() > this.lagLimit;
	}

	// The revision of the last change of what is watched.
	long latestRevision() {
		return this.log.latestRevision(this.type.resource());
	}

	// Whether nothing up to a revision is left to send.
	boolean hasSent(long revision) {
		Change next = this.position.next();
		return !this.initial.hasNext() && !this.markerDue && (next == null || next.revision() > revision);
	}

	/**
	 * Returns the next lines.
	 * @param enough the number of bytes after which no further line is added
	 * @return the lines, empty if there is nothing to send
	 */
	byte[] next(int enough) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		while (this.initial.hasNext() && out.size() < enough && !this.fault.isHolding()) {
			send(out, Change.Type.ADDED, this.initial.next());
		}
		if (this.markerDue && !this.initial.hasNext() && !this.fault.isHolding()) {
			this.markerDue = false;
			out.writeBytes(this.fault.bookmark(this.renderer.bookmark(this.type, this.start, true)));
		}
		Change change = this.position.next();
		while (!this.initial.hasNext() && change != null && out.size() < enough && !this.fault.isHolding()) {
			this.position = change;
			if (change.revision() > this.start) {
				send(out, change);
			}
			change = change.next();
		}
		if (this.bookmarkDue && change == null && !this.initial.hasNext() && !this.fault.isHolding()) {
			bookmark(out);
		}
		out.writeBytes(this.fault.garbage());
		return out.toByteArray();
	}

	private void send(ByteArrayOutputStream out, Change change) {
		StoredObject previous = change.previous();
		boolean before = previous != null && this.selector.test(previous);
		boolean after = change.type() != Change.Type.DELETED && this.selector.test(change.object());
		if (after) {
			send(out, (before) ? Change.Type.MODIFIED : Change.Type.ADDED, change.object());
		}
		else if (before) {
			// An object that leaves the selector is sent in its last state that matched.
			send(out, Change.Type.DELETED,
					(change.type() == Change.Type.DELETED) ? change.object() : change.departed());
		}
	}

	private void send(ByteArrayOutputStream out, Change.Type event, StoredObject object) {
		out.writeBytes(this.fault.event(this.renderer.event(event, this.type, object)));
	}

	private void bookmark(ByteArrayOutputStream out) {
		long revision = this.log.revisionIfLatest(this.position);
		if (revision < 0) {
			return;
		}
		this.bookmarkDue = false;
		// A watch from a future revision gets nothing before it.
		if (revision >= this.start) {
			out.writeBytes(this.fault.bookmark(this.renderer.bookmark(this.type, revision, false)));
		}
	}

}
