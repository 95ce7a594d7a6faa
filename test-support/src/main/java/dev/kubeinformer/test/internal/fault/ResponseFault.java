package dev.kubeinformer.test.internal.fault;

import java.time.Duration;
import java.util.function.UnaryOperator;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.http.Interference;

/**
 * Effect of a fault on an otherwise normal response.
 */
public sealed interface ResponseFault extends Interference {

	/**
	 * The body is corrupted.
	 *
	 * @param rule the fault
	 * @param kind the kind of corruption
	 * @param after the number of events of a watch, or items of a list, that precede the
	 * corruption
	 */
	record Body(FaultRule rule, Kind kind, int after) implements ResponseFault {

		private static final byte[] GARBAGE = { (byte) 0xff, (byte) 0xfe, 'g', 'a', 'r', 'b', 'a', 'g', 'e', '\n' };

		byte[] garbage() {
			return GARBAGE.clone();
		}

		boolean isInForce() {
			return !this.rule.isRemoved();
		}

		@Override
		public boolean answer(Exchange exchange, int status, byte[] body) {
			if (this.after > 0) {
				return false;
			}
			byte[] nothing = {};
			new FaultyBody(exchange, status, this, nothing, body, nothing).iterate();
			return true;
		}

	}

	/**
	 * The response has false resourceVersions.
	 *
	 * @param rule the fault
	 * @param change the function from the true version to the version that is sent
	 */
	record Versions(FaultRule rule, UnaryOperator<String> change) implements ResponseFault {

		public String apply(String version) {
			return (this.rule.isRemoved()) ? version : this.change.apply(version);
		}

	}

	/**
	 * The response has the state of an older revision.
	 *
	 * @param revision the revision
	 */
	record AsOf(long revision) implements ResponseFault {
	}

	/**
	 * The body is written in small pieces.
	 *
	 * @param rule the fault
	 * @param bytes the size of a piece
	 * @param every the time between two pieces
	 */
	record Dribble(FaultRule rule, int bytes, Duration every) implements ResponseFault {

		@Override
		public Response response(Request request, Response response) {
			return new DribbledResponse(request, response, this);
		}

	}

	/**
	 * Kind of corruption of a body.
	 */
	enum Kind {

		/**
		 * The connection is cut.
		 */
		CUT,

		/**
		 * The body ends in the middle of an object, but the HTTP response ends correctly.
		 */
		TRUNCATE,

		/**
		 * Nothing more is written.
		 */
		FREEZE,

		/**
		 * Bytes that are not JSON are written in between.
		 */
		GARBAGE,

		/**
		 * The first events are left out.
		 */
		DROP,

		/**
		 * The first events are sent twice.
		 */
		REPEAT

	}

}
