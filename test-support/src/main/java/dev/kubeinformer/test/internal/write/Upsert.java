package dev.kubeinformer.test.internal.write;

import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.RevisionLog;

/**
 * Writes an object, or creates it if it does not exist. If another client creates or
 * deletes the object at the same time, the write is tried again.
 *
 * @param log the storage
 * @param resource the resource of the object
 * @param key its namespace and name
 */
public record Upsert(RevisionLog log, GroupResource resource, ObjectKey key) {

	/**
	 * Writes the object.
	 * @param update the write if the object exists; may be run several times
	 * @param creation the write if the object does not exist; may be run several times
	 */
	public void run(Runnable update, Runnable creation) {
		while (!tryRun(update, creation)) {
			Thread.onSpinWait();
		}
	}

	private boolean tryRun(Runnable update, Runnable creation) {
		boolean exists = this.log.get(this.resource, this.key) != null;
		try {
			((exists) ? update : creation).run();
			return true;
		}
		catch (RequestFailure ex) {
			if (isAbout(ex, (exists) ? "NotFound" : "AlreadyExists")) {
				return false;
			}
			throw ex;
		}
	}

	private boolean isAbout(RequestFailure exception, String reason) {
		return reason.equals(exception.status().path("reason").asString(""))
				&& this.key.name().equals(exception.status().path("details").path("name").asString(""));
	}

}
