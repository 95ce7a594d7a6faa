package dev.kubeinformer.internal.elector;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.election.LeaseAnswer;
import dev.kubeinformer.internal.election.LeaseRecord;
import dev.kubeinformer.internal.election.LeaseRequest;
import dev.kubeinformer.internal.election.LeaseVersion;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.transport.LeaseRequests;

/**
 * Carries requests of an election to the API server, and says what their answers mean.
 */
final class LeaseLink {

	private final LeaseRequests requests;

	private final LeaseBoard board;

	private @Nullable LeaseDocument last;

	LeaseLink(LeaseRequests requests, LeaseBoard board) {
		this.requests = requests;
		this.board = board;
	}

	LeaseAnswer send(LeaseRequest request) {
		String verb = verb(request);
		try {
			LeaseDocument lease = carryOut(request);
			if (lease == null) {
				return new LeaseAnswer.Conflict();
			}
			this.last = lease;
			this.board.succeeded(verb);
			return new LeaseAnswer.Found(new LeaseVersion(record(lease.fields()), lease.resourceVersion()));
		}
		catch (IOException ex) {
			return failed(request, verb, Failure.of(ex));
		}
	}

	private @Nullable LeaseDocument carryOut(LeaseRequest request) throws IOException {
		if (request instanceof LeaseRequest.Create create) {
			return this.requests.create(fields(create.record()));
		}
		if (request instanceof LeaseRequest.Update update) {
			LeaseDocument read = this.last;
			// What is updated is what was read, with all that others keep in it.
			return (read != null && read.resourceVersion().equals(update.resourceVersion()))
					? this.requests.update(read, fields(update.record())) : null;
		}
		return this.requests.get();
	}

	private static String verb(LeaseRequest request) {
		if (request instanceof LeaseRequest.Create) {
			return "create";
		}
		return (request instanceof LeaseRequest.Update) ? "update" : "get";
	}

	private LeaseAnswer failed(LeaseRequest request, String verb, Failure failure) {
		switch (failure.problem()) {
			case CONFLICT, ALREADY_EXISTS -> {
				this.board.succeeded(verb);
				return new LeaseAnswer.Conflict();
			}
			case NOT_FOUND -> {
				if (!(request instanceof LeaseRequest.Create)) {
					this.board.succeeded(verb);
					return new LeaseAnswer.Absent();
				}
				this.board.failed(verb, failure);
				return new LeaseAnswer.Refused();
			}
			case FORBIDDEN, UNAUTHORIZED, BAD_REQUEST, INVALID, UNSUPPORTED, REJECTED, THROTTLED -> {
				this.board.failed(verb, failure);
				return new LeaseAnswer.Refused();
			}
			default -> {
				this.board.failed(verb, failure);
				return new LeaseAnswer.Unknown();
			}
		}
	}

	/**
	 * Watches the Lease.
	 * @param limit for how long
	 * @param hints receives the holder whenever the Lease changes; empty if there is none
	 * @throws IOException if the watch fails
	 */
	void watch(Duration limit, Consumer<String> hints) throws IOException {
		this.requests.watch(limit, (lease) -> hints.accept((lease != null) ? lease.fields().holder() : ""));
	}

	void close() {
		this.requests.close();
	}

	private static LeaseRecord record(LeaseDocument.Fields fields) {
		return new LeaseRecord(fields.holder(), fields.durationSeconds(), fields.acquireTime(), fields.renewTime(),
				fields.transitions(), fields.preferredHolder());
	}

	private static LeaseDocument.Fields fields(LeaseRecord record) {
		return new LeaseDocument.Fields(record.holder(), record.durationSeconds(), record.acquireTime(),
				record.renewTime(), record.transitions(), record.preferredHolder());
	}

}
