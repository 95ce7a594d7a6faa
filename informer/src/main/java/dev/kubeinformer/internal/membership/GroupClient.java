package dev.kubeinformer.internal.membership;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.codec.json.LeaseListDocument;
import dev.kubeinformer.internal.elector.LeaseFailures;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.lease.GroupLeaseRequests;
import dev.kubeinformer.internal.shards.ShardAnswer;
import dev.kubeinformer.internal.shards.ShardRequest;

/**
 * Sends the requests of a membership to the API server and interprets the responses. Used
 * only by the thread of the membership.
 */
final class GroupClient {

	private final GroupLeaseRequests requests;

	private final MemberLeases leases;

	private final String name;

	private final LeaseFailures failures;

	/** Lease of this member as last read or written. */
	private @Nullable LeaseDocument last;

	GroupClient(GroupLeaseRequests requests, MemberLeases leases, String name, LeaseFailures failures) {
		this.requests = requests;
		this.leases = leases;
		this.name = name;
		this.failures = failures;
	}

	ShardAnswer send(ShardRequest request) {
		String verb = verb(request);
		try {
			ShardAnswer answer = carryOut(request);
			this.failures.succeeded(verb);
			return answer;
		}
		catch (IOException ex) {
			return failed(request, verb, Failure.of(ex));
		}
	}

	private ShardAnswer carryOut(ShardRequest request) throws IOException {
		if (request instanceof ShardRequest.List) {
			LeaseListDocument list = this.requests.list();
			return new ShardAnswer.Listed(list.leases().stream().map(this.leases::read).toList(),
					list.resourceVersion());
		}
		if (request instanceof ShardRequest.Delete delete) {
			this.requests.delete(delete.name(), delete.resourceVersion());
			return new ShardAnswer.Deleted();
		}
		if (request instanceof ShardRequest.Create create) {
			return stored(this.requests.create(this.leases.write(this.leases.create(this.name), create.record())));
		}
		if (request instanceof ShardRequest.Update update) {
			LeaseDocument read = this.last;
			// Update the Lease as it was read, so that fields of other clients are
			// preserved.
			return (read != null && read.resourceVersion().equals(update.resourceVersion()))
					? stored(this.requests.update(this.leases.write(read, update.record())))
					: new ShardAnswer.Conflict();
		}
		return stored(this.requests.get(this.name));
	}

	private ShardAnswer stored(LeaseDocument lease) {
		this.last = lease;
		return new ShardAnswer.Stored(this.leases.read(lease));
	}

	private static String verb(ShardRequest request) {
		if (request instanceof ShardRequest.List) {
			return "list";
		}
		if (request instanceof ShardRequest.Delete) {
			return "delete";
		}
		if (request instanceof ShardRequest.Create) {
			return "create";
		}
		return (request instanceof ShardRequest.Update) ? "update" : "get";
	}

	private ShardAnswer failed(ShardRequest request, String verb, Failure failure) {
		switch (failure.problem()) {
			case CONFLICT, ALREADY_EXISTS -> {
				this.failures.succeeded(verb);
				return new ShardAnswer.Conflict();
			}
			case NOT_FOUND -> {
				if (!(request instanceof ShardRequest.Create || request instanceof ShardRequest.List)) {
					this.failures.succeeded(verb);
					return new ShardAnswer.Absent();
				}
				this.failures.failed(verb, failure);
				return new ShardAnswer.Refused();
			}
			case FORBIDDEN, UNAUTHORIZED, BAD_REQUEST, INVALID, UNSUPPORTED, REJECTED -> {
				this.failures.failed(verb, failure);
				return new ShardAnswer.Refused();
			}
			default -> {
				this.failures.failed(verb, failure);
				return new ShardAnswer.Unknown();
			}
		}
	}

	void close() {
		this.requests.close();
	}

}
