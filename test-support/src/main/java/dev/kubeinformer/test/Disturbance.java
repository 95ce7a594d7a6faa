package dev.kubeinformer.test;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What a fault does to an answer that is otherwise the usual one.
 */
sealed interface Disturbance {

	/**
	 * The body goes wrong.
	 *
	 * @param rule the fault
	 * @param kind how
	 * @param after after how many events of a watch or items of a list
	 */
	record Body(FaultRule rule, Kind kind, int after) implements Disturbance {

		private static final byte[] GARBAGE = { (byte) 0xff, (byte) 0xfe, 'g', 'a', 'r', 'b', 'a', 'g', 'e', '\n' };

		byte[] garbage() {
			return GARBAGE.clone();
		}

		boolean isInForce() {
			return !this.rule.isRemoved();
		}

	}

	/**
	 * The resourceVersions are others than the true ones.
	 *
	 * @param rule the fault
	 * @param change makes the told one of the true one
	 */
	record Versions(FaultRule rule, UnaryOperator<String> change) implements Disturbance {

		String tell(String version) {
			return (this.rule.isRemoved()) ? version : this.change.apply(version);
		}

	}

	/**
	 * The answer is that of an older revision.
	 *
	 * @param revision the revision
	 */
	record AsOf(long revision) implements Disturbance {
	}

	/**
	 * The body is written in small pieces.
	 *
	 * @param rule the fault
	 * @param bytes the size of a piece
	 * @param every the time between two pieces
	 */
	record Dribble(FaultRule rule, int bytes, Duration every) implements Disturbance {
	}

	/**
	 * How a body goes wrong.
	 */
	enum Kind {

		/**
		 * The connection is cut.
		 */
		CUT,

		/**
		 * The body ends in the middle of an object, and HTTP in order.
		 */
		TRUNCATE,

		/**
		 * Nothing more is written.
		 */
		FREEZE,

		/**
		 * There are bytes that are no JSON.
		 */
		GARBAGE,

		/**
		 * The first events are left out.
		 */
		DROP,

		/**
		 * The first events are told twice.
		 */
		REPEAT

	}

}
