package dev.kubeinformer.test.internal.watch;

import java.io.ByteArrayOutputStream;
import java.util.Iterator;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.fault.WatchFault;
import dev.kubeinformer.test.internal.fault.WatchLag;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.selector.Selector;
import dev.kubeinformer.test.internal.storage.Change;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;

/**
 * Lines of one watch, in order: the initial objects and the marker that ends them, then
 * every change that matches the selector of the watch, and bookmarks when nothing else is
 * pending. It does not perform I/O and is used by one thread at a time, except
 * {@link #requestBookmark()}.
 */
final class WatchFeed {

	private final RevisionLog log;

	private final ObjectRenderer renderer;

	private final ResourceDefinition type;

	private final Selector selector;

	private final long lagLimit;

	private final long start;

	private final Iterator<PersistedObject> initial;

	private Change position;

	private boolean markerDue;

	// Point in the history at which the pending bookmark was requested.
	private volatile RevisionLog.@Nullable Mark bookmarkDue;

	private final WatchFault fault;

	private final WatchLag lag;

	WatchFeed(RevisionLog log, ObjectRenderer renderer, ResourceDefinition type, Selector selector,
			RevisionLog.WatchStart start, boolean marker, long lagLimit, WatchFault fault, WatchLag lag) {
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
		this.lag = lag;
	}

	/**
	 * Requests a bookmark that follows all changes so far.
	 */
	void requestBookmark() {
		if (this.bookmarkDue == null) {
			this.bookmarkDue = this.log.mark();
		}
	}

	WatchFault fault() {
		return this.fault;
	}

	// Whether so many changes are pending that the server ends the watch. While a lag
	// delays events, this is never the case, because the client is not responsible for
	// the delay.
	boolean isTooSlow() {
		return this.lag.nanos() == 0
				&& this.log.sequence(this.type.resource()) - this.position.sequence() > this.lagLimit;
	}

	// Revision of the latest change of the watched resource.
	long latestRevision() {
		return this.log.latestRevision(this.type.resource());
	}

	// Whether all changes up to a revision were sent. Delayed events do not count,
	// because the next watch of the client sends them.
	boolean hasSent(long revision) {
		Change next = this.position.next();
		return !this.initial.hasNext() && !this.markerDue
				&& (next == null || next.revision() > revision || heldBack(next.time()) > 0);
	}

	/**
	 * Returns the time at which the next delayed event is due.
	 * @return the time by the clock of the log, or {@code null} if no event is delayed
	 */
	@Nullable Long due() {
		Change next = this.position.next();
		RevisionLog.Mark bookmark = this.bookmarkDue;
		if (next != null) {
			return (heldBack(next.time()) > 0) ? Long.valueOf(next.time() + this.lag.nanos()) : null;
		}
		return (bookmark != null && heldBack(bookmark.time()) > 0) ? Long.valueOf(bookmark.time() + this.lag.nanos())
				: null;
	}

	// The time by the clock of the log.
	long now() {
		return this.log.now();
	}

	WatchLag lag() {
		return this.lag;
	}

	private long heldBack(long time) {
		long lagging = this.lag.nanos();
		return (lagging > 0) ? time + lagging - this.log.now() : 0;
	}

	/**
	 * Returns the next lines.
	 * @param enough the number of bytes after which no further line is added
	 * @return the lines, empty if none are pending
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
		while (!this.initial.hasNext() && change != null && out.size() < enough && !this.fault.isHolding()
				&& heldBack(change.time()) <= 0) {
			this.position = change;
			if (change.revision() > this.start) {
				send(out, change);
			}
			change = change.next();
		}
		RevisionLog.Mark bookmark = this.bookmarkDue;
		if (bookmark != null && !this.initial.hasNext() && !this.fault.isHolding()) {
			bookmark(out, bookmark, change);
		}
		out.writeBytes(this.fault.garbage());
		return out.toByteArray();
	}

	private void send(ByteArrayOutputStream out, Change change) {
		PersistedObject previous = change.previous();
		boolean before = previous != null && this.selector.test(previous);
		boolean after = change.type() != Change.Type.DELETED && this.selector.test(change.object());
		if (after) {
			send(out, (before) ? Change.Type.MODIFIED : Change.Type.ADDED, change.object());
		}
		else if (before) {
			// If the selector no longer matches an object, send its last state that
			// matched.
			send(out, Change.Type.DELETED,
					(change.type() == Change.Type.DELETED) ? change.object() : change.departed());
		}
	}

	private void send(ByteArrayOutputStream out, Change.Type event, PersistedObject object) {
		out.writeBytes(this.fault.event(this.renderer.event(event, this.type, object)));
	}

	private void bookmark(ByteArrayOutputStream out, RevisionLog.Mark asked, @Nullable Change next) {
		long revision = (this.lag.nanos() > 0) ? laggingRevision(asked, next)
				: this.log.revisionIfLatest(this.position);
		if (revision < 0) {
			return;
		}
		this.bookmarkDue = null;
		// A watch from a future revision receives no earlier events.
		if (revision >= this.start) {
			out.writeBytes(this.fault.bookmark(this.renderer.bookmark(this.type, revision, false)));
		}
	}

	// A bookmark lags like the changes: it follows all changes before its request.
	private long laggingRevision(RevisionLog.Mark asked, @Nullable Change next) {
		boolean early = heldBack(asked.time()) > 0 || (next != null && next.revision() <= asked.revision());
		return (early) ? -1 : Math.max(asked.revision(), this.position.revision());
	}

}
