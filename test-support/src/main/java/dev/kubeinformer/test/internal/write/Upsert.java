package dev.kubeinformer.test.internal.write;

import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.RevisionLog;

/**
 * Write that creates its object if it does not exist. If other clients create or delete
 * the object at the same time, the decision is repeated.
 *
 * @param log the storage
 * @param resource the resource of the object
 * @param key its namespace and name
 */
public record Upsert(RevisionLog log, GroupResource resource, ObjectKey key) {

	/**
	 * Writes the object.
	 * @param update changes it if it exists; may be run several times, as
	 * {@code creation}
	 * @param creation creates it if it does not exist
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
