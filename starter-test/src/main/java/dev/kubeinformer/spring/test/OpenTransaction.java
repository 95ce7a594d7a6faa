package dev.kubeinformer.spring.test;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Finds out whether a test has an open transaction, which Spring rolls back only after
 * the embedded API is reset.
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
	 * Accesses Spring's transactions. This is a separate class, because the library
	 * {@code spring-tx} may be missing from the class path.
	 */
	private static final class Transactions {

		static boolean isActive() {
			return TransactionSynchronizationManager.isActualTransactionActive();
		}

	}

}
