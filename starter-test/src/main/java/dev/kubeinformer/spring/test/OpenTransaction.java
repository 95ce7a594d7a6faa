package dev.kubeinformer.spring.test;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Transaction of a test, which Spring rolls back only after the reset of the embedded
 * API.
 */
final class OpenTransaction {

	private static final boolean TRANSACTIONS_PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			OpenTransaction.class.getClassLoader());

	private OpenTransaction() {
	}

	static boolean isThere() {
		return TRANSACTIONS_PRESENT && Transactions.isActive();
	}

	/**
	 * Access to Spring's transactions in a separate class, because their classes may be
	 * absent.
	 */
	private static final class Transactions {

		static boolean isActive() {
			return TransactionSynchronizationManager.isActualTransactionActive();
		}

	}

}
